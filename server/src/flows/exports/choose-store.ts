/** Where an export is read: at the standby for reports, or at the primary. */
import type { Context } from '../../context.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { type ExportRow, findExport } from '../../resources/exports/exports.queries.ts';

/**
 * A standby that knows of the export knows of all that was there before it. Where it has failed once, and for links that
 * are made on the way, it is not asked.
 */
export async function chooseStore(
  ctx: Context,
  { scope, failures }: ClaimedWork,
  row: ExportRow,
): Promise<Context> {
  const standby = failures > 0 || row.withPayUrls ? null : await ctx.reports.find();
  const known = standby && (await findExport(standby.db, scope, row.id).catch(() => null));
  return standby && known ? { ...ctx, db: standby.db } : ctx;
}
