/**
 * How far a store has moved to another server, as both places say it. The one that is left: `copying` = closed, and
 * opened again by a start or by another move once nobody copies it; `switching` = the other may be open, which only that
 * one knows; `moved` = closed for good. The one that is filled: `arrived` = open.
 */
export const MOVE_STAGES = ['copying', 'switching', 'moved', 'arrived'] as const;
export type MoveStage = (typeof MOVE_STAGES)[number];
