/** Entry of the sandbox bank's page, on which the buyer of a test says whether the authentication succeeds. */
import { useLocale } from '../ui/locale.tsx';
import { mountPage } from '../ui/mount.tsx';
import { bankText, loadBankTexts } from './text.ts';
import './authenticate.css';

interface AuthenticateState {
  chargeLabel: string;
  amount: number;
  currency: string;
  currencyDecimals: number;
  cardLast4: string;
  merchant: string;
  completeUrl: string;
  testMode: true;
}

function AuthenticatePage({ state }: { state: AuthenticateState }) {
  const { t, money } = useLocale();
  const facts = [
    [bankText('merchant'), state.merchant],
    [bankText('amount'), money(state.amount, state)],
    [bankText('card'), `•••• ${state.cardLast4}`],
    [bankText('reference'), state.chargeLabel],
  ];
  return (
    <div class="page narrow bank">
      <main class="ticket single">
        <header class="bank-line">
          <span class="bank-sign" aria-hidden="true" />
          <span class="seller-name">{bankText('bank')}</span>
          <span class="badge">{t('testMode')}</span>
        </header>
        <h1>{bankText('title')}</h1>
        <p class="bank-text">{bankText('text')}</p>
        <dl class="facts">
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <div class="bank-choices">
          <Choice url={state.completeUrl} result="approve" className="primary" text={bankText('approve')} />
          <Choice url={state.completeUrl} result="reject" className="secondary" text={bankText('reject')} />
        </div>
      </main>
    </div>
  );
}

function Choice(props: { url: string; result: 'approve' | 'reject'; className: string; text: string }) {
  return (
    <form method="post" action={props.url}>
      <input type="hidden" name="result" value={props.result} />
      <button type="submit" class={props.className}>
        {props.text}
      </button>
    </form>
  );
}

void mountPage<AuthenticateState>((state) => <AuthenticatePage state={state} />, { loadAlso: loadBankTexts });
