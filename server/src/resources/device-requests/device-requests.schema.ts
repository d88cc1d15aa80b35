/** Machines that ask for a key pair, as the person sees them who is to allow it. */
import { type Static, Type } from 'typebox';
import { Answer, Body, Component, Ms, Nullable, StringEnum, Text, Uuid } from '../shapes.ts';
import type { DeviceRequestRow } from './device-requests.queries.ts';

export const DeviceRequest = Answer('DeviceRequest', {
  object: StringEnum(['device_request']),
  client: Type.String({ description: 'What the machine calls itself.' }),
  address: Type.String({ description: 'Where it asked from.' }),
  mode: StringEnum(['test', 'live'], { description: 'What is offered first.' }),
  scopes: Nullable(
    Type.Array(Type.String(), { description: 'What it asks for; null = all that needs no naming.' }),
  ),
  expiresAt: Ms(),
});

export const DeviceParams = Type.Object({
  userCode: Type.String({ minLength: 1, maxLength: 40, description: 'As the machine shows it.' }),
});
export const AllowDevice = Body({
  workspaceId: Uuid(),
  mode: StringEnum(['live', 'test'], { description: 'Of which store the key pair will be.' }),
  scopes: Type.Optional(
    Nullable(
      Type.Array(Text(60), {
        minItems: 1,
        maxItems: 100,
        description: 'When missing or null: all that the person may do and that needs no naming.',
      }),
    ),
  ),
});
export const DeviceData = Answer(null, { deviceRequest: Component(DeviceRequest) });
export const DecidedData = Answer(null, {});

export function toDeviceRequest(row: DeviceRequestRow): Static<typeof DeviceRequest> {
  const { client, address, scopes, endsRealMs } = row;
  return { object: 'device_request', client, address, mode: 'test', scopes, expiresAt: endsRealMs };
}
