import type { Machine } from './machine.ts';

export type WorkspaceState = 'active' | 'suspended' | 'archived';

/** What a workspace's shops may do. What was archived is taken back as a whole: it does not become suspended. */
export const WORKSPACE: Machine<WorkspaceState> = {
  name: 'workspace',
  initial: ['active'],
  moves: {
    active: ['suspended', 'archived'],
    suspended: ['active', 'archived'],
    archived: ['active'],
  },
};
