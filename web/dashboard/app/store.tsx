/** The store that the address names, and what the member may do there. */
import { createContext, useContext } from 'react';
import type { Store } from '../api/client.ts';
import type { Session, Workspace } from '../api/objects.ts';

export type Access = 'read' | 'write';

export interface StoreView {
  store: Store;
  workspace: Workspace;
  session: Session;
  isTest: boolean;
  /** `/{workspaceId}/{mode}`, which every link of the store begins with. */
  base: string;
  /** The store's time zone. */
  zone: string;
  /** Writes are off in a workspace that is suspended. */
  may(area: string, access?: Access): boolean;
  /** What belongs to no area, such as a view or a note, is written wherever anything is. */
  isWritable: boolean;
}

const StoreContext = createContext<StoreView | null>(null);

export const StoreProvider = StoreContext.Provider;

export function useStore(): StoreView {
  const view = useContext(StoreContext);
  if (!view) throw new Error('a screen of a store was drawn outside it');
  return view;
}

/** Whether the frame of a store is around what is drawn. */
export const useIsInStore = (): boolean => useContext(StoreContext) !== null;

export const isWritable = ({ state }: Pick<Workspace, 'state'>): boolean =>
  state !== 'suspended' && state !== 'archived';

/** Of an area that nobody has spoken of, the member has nothing. */
export function mayDo(workspace: Workspace, mode: Store['mode'], area: string, access: Access): boolean {
  const { permissions } = workspace;
  if (access === 'write' && !isWritable(workspace)) return false;
  if (!permissions) return workspace.role === 'owner';
  const of =
    'test' in permissions && typeof permissions.test === 'object' ? permissions[mode as 'test'] : permissions;
  const level = (of as Record<string, string>)[area] ?? 'none';
  return level === 'write' || level === access;
}

/** What a form or dialog is filled in from, beside what it writes: whoever cannot read that cannot use it. */
const FILLED_FROM: Readonly<Record<string, string>> = {
  checkout: 'offers',
  'edit-checkout': 'offers',
  'copy-checkout': 'offers',
  'test-purchase': 'offers',
  refund: 'orders',
};

/** Whether a member may use the form or dialog of a name, which writes in an area. */
export function mayUse({ may }: Pick<StoreView, 'may'>, name: string, area: string): boolean {
  const source = FILLED_FROM[name];
  return may(area, 'write') && (source === undefined || may(source));
}
