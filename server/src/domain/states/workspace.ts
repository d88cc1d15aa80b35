import type { Machine } from './machine.ts';

/** `restoring`: its rows are coming in, and nobody sees it. */
export type WorkspaceState = 'active' | 'suspended' | 'archived' | 'restoring';

/** What a workspace's shops may do. What was archived is taken back as a whole: it does not become suspended. */
export const WORKSPACE: Machine<WorkspaceState> = {
  name: 'workspace',
  initial: ['active', 'restoring'],
  moves: {
    active: ['suspended', 'archived'],
    suspended: ['active', 'archived'],
    archived: ['active'],
    // As what it was when it was exported.
    restoring: ['active', 'suspended', 'archived'],
  },
};
