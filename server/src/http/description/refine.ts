/** Makes of the schemas that validate and serialise a description that clients can be generated from. */
import { markAliases } from './aliases.ts';
import { declareAnswers } from './answers.ts';
import { nameBodies } from './bodies.ts';
import type { Description } from './document.ts';
import { describeEvents } from './events.ts';
import { describeFields } from './fields.ts';
import { tellPageSizes } from './page-sizes.ts';
import { shareRefusals } from './shared-refusals.ts';
import { shareShapes } from './shared-shapes.ts';

/** `raw` is the framework's, and stays as it is: its parts are the schemas that requests are checked by. */
export function refineDescription<T extends object>(raw: T): T {
  // Our own routes' description, whose form is known.
  const description = JSON.parse(JSON.stringify(raw)) as Description;
  markAliases(description);
  nameBodies(description);
  declareAnswers(description);
  shareRefusals(description);
  describeEvents(description);
  tellPageSizes(description);
  shareShapes(description);
  describeFields(description);
  return description as unknown as T;
}
