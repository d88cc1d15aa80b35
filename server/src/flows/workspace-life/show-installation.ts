/** How the installation fares: what its admins look at first. */
import type { Service } from '../../context.ts';
import { PRODUCT_VERSION } from '../../domain/version.ts';
import { getServerVersion } from '../../resources/installation/installation.queries.ts';
import { readInstallationFigures } from '../../resources/installation/overview.queries.ts';

export async function showInstallation({ db, config, mail }: Service) {
  return {
    version: PRODUCT_VERSION,
    storeVersion: await getServerVersion(db),
    ...(await readInstallationFigures(db)),
    mailServer: mail !== null,
    publicUrl: config.publicUrl,
    signUp: config.signUp,
  };
}
