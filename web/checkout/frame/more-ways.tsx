import { useLocale } from '../../ui/locale.tsx';
import type { PricedForm } from '../state/use-priced-form.ts';
import { frameMode, tell } from './channel.ts';

/** From a frame to the whole page, which nothing keeps from leading on to a bank's; what was typed is there. */
export function MoreWays({ form, isBusy }: { form: PricedForm; isBusy: boolean }) {
  const { t } = useLocale();
  const { pathname: path } = window.location;
  const leave = async (event: MouseEvent) => {
    event.preventDefault();
    if (isBusy) return;
    await form.price();
    if (frameMode() === null) window.open(path, '_top');
    else tell('leave', { path });
  };
  return (
    <p>
      <a class="link" href={path} target="_top" onClick={leave}>
        {t('method.more')}
      </a>
    </p>
  );
}
