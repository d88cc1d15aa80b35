import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { arrive } from '../api/reach.ts';
import { useRoom } from './locale.tsx';
import { loadRoomTexts } from './texts.ts';

/** A part that is loaded when it is first drawn. */
export const later: typeof lazy = (load) => lazy(() => arrive(load));

/** A part whose words are loaded beside its script, and which is drawn once both are there. */
export function laterWithTexts<Props extends object>(
  room: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return later(async () => {
    // What fails here is met again by the room, which says so.
    const texts = loadRoomTexts(room, document.documentElement.lang).catch(() => {});
    const [{ default: Part }] = await Promise.all([load(), texts]);
    return { default: (props: Props) => (useRoom(room) ? <Part {...props} /> : null) };
  });
}
