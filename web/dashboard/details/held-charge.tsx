import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { Amount } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { DialogButton } from './dialog-button.tsx';
import { useTools } from './tools.ts';

/** Other money than was asked for: what came beside what should have, until somebody decides. */
export function HeldCharge({ charge }: { charge: Row }) {
  const { t } = useLocale();
  const tools = useTools();
  if (textOf(charge, 'hold') === '') return null;
  const taken = rowOf(charge, 'taken');
  return (
    <>
      <span>
        {t('charge.taken')}{' '}
        <Amount minor={numberOf(taken, 'amount')} currency={textOf(taken, 'currency')} tools={tools} />,{' '}
        {t('charge.expected')}{' '}
        <Amount minor={numberOf(charge, 'amount')} currency={textOf(charge, 'currency')} tools={tools} />
      </span>
      <DialogButton dialog="accept-charge" row={charge} label="action.accept" area="corrections" />
      <DialogButton dialog="return-charge" row={charge} label="action.sendBack" area="corrections" isDanger />
    </>
  );
}
