import type { Seller } from '../branding.ts';
import { useLocale } from '../locale.tsx';
import type { TextKey } from '../texts.ts';
import type { LegalLinks } from '../view.ts';
import { LanguageSelect } from './language-select.tsx';
import { Monogram } from './monogram.tsx';

/** Who sells, and whether money moves at all. */
export function SellerLine({ seller, testMode }: { seller: Seller; testMode: boolean }) {
  const { t } = useLocale();
  const { name, branding } = seller;
  return (
    <header class="seller-line">
      {branding.logo ? (
        <img class="seller-logo" src={branding.logo} alt={name} />
      ) : (
        <>
          {branding.icon ? (
            <img class="seller-mark" src={branding.icon} alt="" />
          ) : (
            <Monogram name={name} className="seller-mark" />
          )}
          <span class="seller-name">{name}</span>
        </>
      )}
      {testMode && <span class="badge">{t('testMode')}</span>}
    </header>
  );
}

const LINKS: ReadonlyArray<['websiteUrl' | 'termsUrl' | 'privacyUrl' | 'imprintUrl', TextKey]> = [
  ['websiteUrl', 'footer.website'],
  ['termsUrl', 'footer.terms'],
  ['privacyUrl', 'footer.privacy'],
  ['imprintUrl', 'footer.imprint'],
];

type FooterLink = [href: string | null | undefined, text: TextKey, target?: string];

interface FooterProps {
  /** Null = nobody's page. */
  seller: Seller | null;
  legal?: LegalLinks;
  /** Hears of a language that was chosen. */
  onLanguage?: (language: string) => void;
}

/** Whom to ask and what holds, below every page of a seller. */
export function PageFooter({ seller, legal, onLanguage }: FooterProps) {
  const { t } = useLocale();
  const all: FooterLink[] = [
    ...LINKS.map(([field, text]): FooterLink => [seller?.branding[field], text, '_blank']),
    [legal?.withdraw, 'footer.withdraw'],
    [legal?.cancel, 'footer.cancel'],
  ];
  const links = all.filter(([href]) => href);
  return (
    <footer class="page-footer">
      {seller?.supportEmail && (
        <p>
          {t('footer.questions')} <a href={`mailto:${seller.supportEmail}`}>{seller.supportEmail}</a>
        </p>
      )}
      {links.length > 0 && (
        <ul class="footer-links">
          {links.map(([href, text, target]) => (
            <li key={text}>
              <a href={href ?? ''} target={target} rel="noreferrer">
                {t(text)}
              </a>
            </li>
          ))}
        </ul>
      )}
      <LanguageSelect onLanguage={onLanguage} />
      <p>{t('footer.powered')}</p>
    </footer>
  );
}
