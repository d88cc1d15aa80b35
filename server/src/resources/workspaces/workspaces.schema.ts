/** Workspaces in the API, as one of their members sees them. */

import { type Static, Type } from 'typebox';
import { COUNTRIES } from '../../domain/countries.ts';
import { LEVELS, ROLES, toPermissionSet } from '../../domain/roles.ts';
import {
  Answer,
  Body,
  Component,
  CurrencyInput,
  Described,
  Ms,
  Nullable,
  StringEnum,
  Text,
  Uuid,
} from '../shapes.ts';
import type { SeenWorkspace } from './seen-workspaces.queries.ts';

const Levels = Type.Record(Type.String(), StringEnum(LEVELS), { description: 'Of each area of the API.' });

export const Workspace = Answer('Workspace', {
  object: StringEnum(['workspace']),
  id: Uuid(),
  name: Type.String(),
  portalSlug: Type.String(),
  state: StringEnum(['active', 'suspended', 'archived']),
  stateBy: Nullable(
    StringEnum(['owner', 'admin', 'sweep'], {
      description: 'Who suspended or archived it; what an admin did only an admin takes back.',
    }),
  ),
  stateSince: Nullable(Ms()),
  warnedUntil: Nullable(
    Ms({ description: 'When the next step comes unless it is used: nobody has used it for long.' }),
  ),
  requireSecondFactor: Type.Boolean(),
  role: StringEnum(ROLES),
  permissions: Described(
    Answer(null, { live: Levels, test: Levels }),
    'What they may do in each area, by mode.',
  ),
  transfer: Described(
    Nullable(
      Answer(null, {
        memberId: Uuid({ description: 'The member that it is offered to.' }),
        expiresAt: Ms(),
      }),
    ),
    'To whom it is offered; null: to nobody.',
  ),
  createdAt: Ms(),
});

export const CreateWorkspace = Body({
  name: Text(100),
  country: StringEnum(COUNTRIES, { description: 'Where it sells from.' }),
  currency: CurrencyInput(),
});
export const UpdateWorkspace = Body({
  name: Type.Optional(Text(100)),
  portalSlug: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$',
      description: '3 to 40 of a-z, 0-9 and hyphens.',
    }),
  ),
  requireSecondFactor: Type.Optional(Type.Boolean()),
});
export const TransferWorkspace = Body({ memberId: Uuid() });
export const CloseWorkspace = Body({
  name: Text(100, { description: "The workspace's name, as a word that it is meant." }),
  cancelSubscriptions: Type.Optional(
    Type.Boolean({
      description: 'Whether its running subscriptions are cancelled; without it one that runs is refused.',
    }),
  ),
});
export const WorkspaceData = Answer(null, { workspace: Component(Workspace) });
export const WorkspacesData = Answer(null, { workspaces: Type.Array(Component(Workspace)) });

/** `nowMs` is real time. */
export function toWorkspace(row: SeenWorkspace, nowMs: number): Static<typeof Workspace> {
  const { transferMemberId: memberId, transferExpiresAt: expiresAt } = row;
  const of = (testMode: boolean) => toPermissionSet(row.role, row.permissions, testMode);
  return {
    object: 'workspace',
    id: row.id,
    name: row.name,
    portalSlug: row.portalSlug,
    state: row.state,
    stateBy: row.stateBy,
    stateSince: row.stateSince,
    warnedUntil: row.warnedUntil,
    requireSecondFactor: row.requireSecondFactor,
    role: row.role,
    permissions: { live: of(false), test: of(true) },
    transfer: memberId !== null && expiresAt !== null && expiresAt > nowMs ? { memberId, expiresAt } : null,
    createdAt: row.createdAt,
  };
}
