/** What a buyer does with their own account. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { toDeletionDueMs, toDeletionStatus } from '../../domain/user-deletion.ts';
import { Answer, Body, Component, Ms, Nullable, StringEnum, Text } from '../shapes.ts';
import type { OwnExportRow } from './own-exports.queries.ts';

export const ChangeEmail = Body({
  email: Text(320),
  language: Type.Optional(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$' })),
});
export const ConfirmEmail = Body({
  code: Type.Optional(Type.String({ pattern: '^[0-9 ]{8,20}$', description: 'The 8 digits of the mail.' })),
  token: Type.Optional(Type.String({ minLength: 20, maxLength: 100, description: 'Of the mail’s link.' })),
});
export const ChangePassword = Body({
  password: Nullable(Type.String({ minLength: 1, maxLength: 200, description: 'Null takes it away.' })),
});

export const PortalExport = Answer('PortalExport', {
  object: StringEnum(['portal_export']),
  status: StringEnum(['none', 'pending', 'ready', 'failed']),
  url: Nullable(Type.String({ description: 'The file, for the browser that has the session.' })),
  createdAt: Nullable(Ms()),
  expiresAt: Nullable(Ms()),
});
export const PortalExportData = Answer(null, { export: Component(PortalExport) });

export function toOwnExport(
  row: OwnExportRow | undefined,
  { url, nowMs }: { url: string; nowMs: number },
): Static<typeof PortalExport> {
  const object = 'portal_export';
  if (!row || row.endsAt <= nowMs)
    return { object, status: 'none', url: null, createdAt: null, expiresAt: null };
  const status = row.content !== null ? 'ready' : row.failed ? 'failed' : 'pending';
  return {
    object,
    status,
    url: status === 'ready' ? url : null,
    createdAt: row.createdAt,
    expiresAt: row.endsAt,
  };
}

export const PortalDeletion = Answer('PortalDeletion', {
  object: StringEnum(['portal_deletion']),
  status: StringEnum(['none', 'requested', 'accepted']),
  dueAt: Nullable(
    Ms({ description: 'When the account is erased; until then the request can be taken back.' }),
  ),
});
export const PortalDeletionData = Answer(null, { deletion: Component(PortalDeletion) });

export function toOwnDeletion(row: Row<'users'>): Static<typeof PortalDeletion> {
  const status = toDeletionStatus(row);
  return {
    object: 'portal_deletion',
    status: status === null || status === 'erased' ? 'none' : status,
    dueAt: toDeletionDueMs(row),
  };
}
