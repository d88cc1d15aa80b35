import type { Context } from '../context.ts';
import type { ClaimedWork } from '../resources/due-work/due-work.queries.ts';
export async function watchDispute(_ctx: Context, _work: ClaimedWork): Promise<void> {}
