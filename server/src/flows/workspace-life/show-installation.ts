/** How the installation fares: what its admins look at first. */
import type { Service } from '../../context.ts';
import { USER_AGENT } from '../../net/user-agent.ts';
import { getServerVersion } from '../../resources/installation/installation.queries.ts';
import { readInstallationFigures } from '../../resources/installation/overview.queries.ts';

export async function showInstallation({ db, config, mail }: Service) {
  return {
    version: USER_AGENT.split('/')[1] ?? '',
    storeVersion: await getServerVersion(db),
    ...(await readInstallationFigures(db)),
    mailServer: mail !== null,
    publicUrl: config.publicUrl,
    signUp: config.signUp,
  };
}
