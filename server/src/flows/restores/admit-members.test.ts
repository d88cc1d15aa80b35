import { expect, it } from 'vitest';
import { refuseOwners } from './admit-members.ts';

const WORKSPACE = {
  ...{ id: '00000000-0000-4000-8000-000000000000', name: 'First', state: 'active', portalSlug: 'first' },
  createdAt: 0,
  members: [
    {
      ...{
        id: '00000000-0000-4000-8000-000000000001',
        accountId: '00000000-0000-4000-8000-000000000002',
        email: 'ada@first.example',
        name: 'Ada',
        role: 'owner',
      },
      ...{ permissions: null, notifications: [], createdAt: 0 },
    },
  ],
};

it('X50 names no account that could own a workspace where there are none', async () => {
  const refuse = (ownerEmail: string | null) =>
    refuseOwners(null, { ownerEmail, isThrownAway: false }, [WORKSPACE]);
  await expect(refuse('bea@else.example')).rejects.toThrow(
    'Nobody has an account here yet, so that bea@else.example cannot own First: leave --owner out, and ada@first.example is made its owner.',
  );
  await expect(refuse(null)).resolves.toBeUndefined();
});
