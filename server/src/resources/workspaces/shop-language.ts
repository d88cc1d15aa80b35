import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { type Language, toLanguage } from '../../domain/languages.ts';
import { toSettings } from '../../domain/settings.ts';
import { getStore } from './workspaces.queries.ts';

/** What a store speaks where nobody has said what the buyer does. */
export async function findShopLanguage(db: Db, scope: Scope): Promise<Language> {
  const { settings } = await getStore(db, scope);
  return toLanguage(toSettings(settings).checkout.defaultLanguage);
}
