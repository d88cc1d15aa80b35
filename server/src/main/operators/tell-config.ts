/** The settings that are in force, as `npm run config` tells them: what each is, where it was read, and no secret. */
import { type Config, parseConfig, text } from '../../config.ts';
import { getSetting, SETTING_NAMES, type SettingName } from '../../config-list.ts';

export interface ToldSetting {
  name: string;
  /** Null = unset, and nothing follows for it. */
  value: string | null;
  /** `default`, `environment`, or the file that it was read in. */
  source: string;
}

const HIDDEN = '***';

export function tellConfig(
  env: NodeJS.ProcessEnv,
  sources: ReadonlyMap<string, string> = new Map(),
): ToldSetting[] {
  const config = parseConfig(env);
  return SETTING_NAMES.map((name) => {
    const value = text(env, name) ?? readDerived(name, config);
    return { name, value: value && mask(name, value), source: sources.get(name) ?? 'default' };
  });
}

/** What follows from other settings where it is not said. */
function readDerived(name: SettingName, config: Config): string | null {
  const { host, publicUrl, mailFrom, oidc, databaseConnectionsMax } = config;
  if (name === 'DATABASE_CONNECTIONS_MAX') return String(databaseConnectionsMax);
  if (name === 'HOST') return host;
  if (name === 'PUBLIC_URL') return publicUrl;
  if (name === 'MAIL_FROM') return mailFrom;
  return name === 'OIDC_NAME' ? (oidc?.name ?? null) : null;
}

function mask(name: SettingName, value: string): string {
  const { secret } = getSetting(name);
  if (secret === 'all') return HIDDEN;
  return secret === 'password' ? toToldUrl(value) : value;
}

/** A URL without what lets anybody in. */
export function toToldUrl(url: string): string {
  return (
    url
      // To the last @: a password, and the address that is a user's name, may hold one that was not escaped.
      .replace(/^([a-z]+:\/\/).*@/i, `$1${HIDDEN}@`)
      .replace(/([?&](?:user|[^=&]*password)=)[^&]*/gi, `$1${HIDDEN}`)
  );
}
