/** Who sells, as every page of the buyer's shows it: the name, whom to ask, and the shop's own look. */
import { toOwnPicture } from '../../domain/own-picture.ts';
import type { Settings } from '../../domain/settings.ts';

/** `storeName` stands in for a name that the settings lack. */
export function showSeller({ seller, branding, checkout }: Settings, storeName: string) {
  return {
    name: seller.name ?? storeName,
    supportEmail: seller.email,
    /** Of pages for browsers that speak none of ours. */
    language: checkout.defaultLanguage,
    branding: { ...branding, logo: toOwnPicture(branding.logo), icon: toOwnPicture(branding.icon) },
  };
}
