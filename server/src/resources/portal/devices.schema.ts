/** Where a buyer is signed in. */
import { type Static, Type } from 'typebox';
import { Answer, Component, Ms, StringEnum, Uuid } from '../shapes.ts';
import type { PortalSessionRow } from './portal-sessions.queries.ts';

export const PortalDevice = Answer('PortalDevice', {
  object: StringEnum(['device']),
  id: Uuid(),
  userAgent: Type.String(),
  current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  createdAt: Ms(),
  lastUsedAt: Ms(),
});
export const PortalDevicesData = Answer(null, { devices: Type.Array(Component(PortalDevice)) });

export function toDevice(row: PortalSessionRow, currentId: string): Static<typeof PortalDevice> {
  const { id, userAgent, createdAt, usedAt } = row;
  return { object: 'device', id, userAgent, current: id === currentId, createdAt, lastUsedAt: usedAt };
}
