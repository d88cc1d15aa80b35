/** Members and invitations in the API. */
import { type Static, type TSchema, Type } from 'typebox';
import { NOTIFICATIONS, type Notification } from '../../domain/notifications.ts';
import { CUSTOM_AREAS, LEVELS, type Permissions, ROLES, type Role } from '../../domain/roles.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import { Answer, Body, Component, Described, Ms, Nullable, StringEnum, Text, Uuid } from '../shapes.ts';
import type { InvitationRow } from './invitations.queries.ts';
import type { MemberRow } from './members.queries.ts';

/** Everything but the Owner, who comes to be by a transfer. */
const GIVEN_ROLES = ROLES.filter((role) => role !== 'owner');
const EMAIL_LENGTH_MAX = 254;
const TOKEN_LENGTH_MAX = 200;

const Level = StringEnum(LEVELS);
const Given = Type.Unsafe<Permissions>(
  Type.Object(
    Object.fromEntries(
      CUSTOM_AREAS.map((area): [string, TSchema] => [
        area,
        Type.Optional(Described(Level, `What they may do with the area ${area}.`)),
      ]),
    ),
    { additionalProperties: false, description: 'Of a Custom member: what is missing is none.' },
  ),
);
const Told = Type.Array(StringEnum(NOTIFICATIONS), {
  maxItems: NOTIFICATIONS.length * 2,
  description: 'What is told by mail; the Owner is told everything.',
});

export const Member = Answer('Member', {
  object: StringEnum(['member']),
  id: Uuid(),
  accountId: Uuid(),
  email: Type.String(),
  name: Type.String(),
  role: StringEnum(ROLES),
  permissions: Nullable(Given),
  notifications: Told,
  isDisabled: Type.Boolean({ description: 'Whether the installation closed the account.' }),
  hasSecondFactor: Type.Boolean({ description: 'Whether their account has a second factor.' }),
  lastSeenAt: Nullable(Ms({ description: 'When they last used a session that still lives.' })),
  version: Type.Integer({ description: 'Raised by each change of role or permissions.' }),
  createdAt: Ms(),
});

export const Invitation = Answer('Invitation', {
  object: StringEnum(['invitation']),
  id: Uuid(),
  email: Type.String(),
  role: StringEnum(GIVEN_ROLES),
  permissions: Nullable(Given),
  notifications: Told,
  state: StringEnum(['open', 'expired', 'accepted', 'revoked']),
  invitedBy: Type.String({ description: '`account:<id>`.' }),
  expiresAt: Ms(),
  acceptedAt: Nullable(Ms()),
  revokedAt: Nullable(Ms()),
  createdAt: Ms(),
});

const role = StringEnum(GIVEN_ROLES);
const permissions = Type.Optional(Nullable(Given));
const notifications = Type.Optional(Told);

export const UpdateMember = Body({
  id: Type.Optional(Uuid()),
  role: Type.Optional(role),
  permissions,
  notifications,
});
export const MemberParams = Type.Object({ memberId: Uuid() });
export const ListMembers = Type.Object({
  ...pageQuery,
  term: Type.Optional(Type.String({ maxLength: 320, description: 'Part of the name or the e-mail.' })),
});
export const MemberData = Answer(null, { member: Component(Member) });
export const MembersData = Answer(null, { members: Type.Array(Component(Member)), ...pageAnswer });

export const CreateInvitation = Body({
  email: Text(EMAIL_LENGTH_MAX),
  role,
  permissions,
  notifications,
});
export const OnlyId = Body({ id: Type.Optional(Uuid()) });
export const InvitationParams = Type.Object({ invitationId: Uuid() });
export const ListInvitations = Type.Object({
  ...pageQuery,
  withClosed: Type.Optional(Type.Boolean({ description: 'With those that were accepted or revoked.' })),
});
export const InvitationData = Answer(null, { invitation: Component(Invitation) });
export const InvitationsData = Answer(null, {
  invitations: Type.Array(Component(Invitation)),
  ...pageAnswer,
});
export const NewInvitationData = Answer(null, {
  invitation: Component(Invitation),
  url: Type.String({ description: 'Another link than the mailed one, shown only now.' }),
});

const token = Text(TOKEN_LENGTH_MAX, { description: 'What stands behind the `#` of the link.' });
export const OpenInvitation = Body({ token });
export const AcceptInvitation = Body({
  token,
  name: Type.Optional(Text(100, { description: 'Of a new account.' })),
  password: Type.Optional(Type.String({ maxLength: 1000, description: 'Of a new account.' })),
});

/** Of whoever holds the link, before anything is known of them. */
export const OpenedInvitation = Answer('OpenedInvitation', {
  object: StringEnum(['opened_invitation']),
  email: Type.String(),
  role: StringEnum(GIVEN_ROLES),
  workspaceId: Uuid(),
  workspaceName: Type.String(),
  hasAccount: Type.Boolean({ description: 'Whether to sign in first, rather than give name and password.' }),
  expiresAt: Ms(),
});
export const OpenedInvitationData = Answer(null, { invitation: Component(OpenedInvitation) });

export const AcceptedData = Answer(null, {
  workspaceId: Uuid(),
  isSignedIn: Type.Boolean({ description: 'Whether this browser is signed in now.' }),
});

export function toMember(row: MemberRow): Static<typeof Member> {
  return {
    object: 'member',
    id: row.id,
    accountId: row.accountId,
    email: row.email,
    name: row.accountName,
    role: row.role as Role,
    permissions: row.permissions,
    notifications: row.role === 'owner' ? [...NOTIFICATIONS] : toNotifications(row.notifications),
    isDisabled: row.disabledAt !== null,
    hasSecondFactor: row.hasSecondFactor,
    lastSeenAt: row.lastSeenAt,
    version: row.version,
    createdAt: row.createdAt,
  };
}

/** `nowMs` is real time. */
export function toInvitation(row: InvitationRow, nowMs: number): Static<typeof Invitation> {
  return {
    object: 'invitation',
    id: row.id,
    email: row.email,
    role: row.role,
    permissions: row.permissions,
    notifications: toNotifications(row.notifications),
    state: toState(row, nowMs),
    invitedBy: row.invitedBy,
    expiresAt: row.expiresAt,
    acceptedAt: row.acceptedAt,
    revokedAt: row.revokedAt,
    createdAt: row.createdAt,
  };
}

function toState({ acceptedAt, revokedAt, expiresAt }: InvitationRow, nowMs: number) {
  if (acceptedAt !== null) return 'accepted';
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= nowMs ? 'expired' : 'open';
}

function toNotifications(words: readonly string[]): Notification[] {
  return NOTIFICATIONS.filter((known) => words.includes(known));
}
