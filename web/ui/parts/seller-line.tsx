import { useLocale } from '../locale.tsx';
import { Monogram } from './monogram.tsx';

/** Who sells, and whether money moves at all. */
export function SellerLine({ name, testMode }: { name: string; testMode: boolean }) {
  const { t } = useLocale();
  return (
    <header class="seller-line">
      <Monogram name={name} className="seller-mark" />
      <span class="seller-name">{name}</span>
      {testMode && <span class="badge">{t('testMode')}</span>}
    </header>
  );
}

/** Whom to ask, below every page of a seller. */
export function PageFooter({ supportEmail }: { supportEmail: string | null }) {
  const { t } = useLocale();
  return (
    <footer class="page-footer">
      {supportEmail && (
        <p>
          {t('footer.questions')} <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
        </p>
      )}
      <p>{t('footer.powered')}</p>
    </footer>
  );
}
