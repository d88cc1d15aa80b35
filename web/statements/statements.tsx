/** Entry of the pages where buyers withdraw from a contract, cancel one, or answer a mail about that. */
import { mountPage } from '../ui/mount.tsx';
import type { StatementPage } from '../ui/statement.ts';
import { CancelPage } from './cancel-page.tsx';
import { LinkPage } from './link-page.tsx';
import { loadStatementTexts } from './text.ts';
import { WithdrawPage } from './withdraw-page.tsx';
import '../ui/styles/checkout.css';
import '../ui/styles/receipt.css';
import '../ui/styles/print.css';
import './statements.css';

function StatementsApp({ page }: { page: StatementPage }) {
  if (page.kind === 'withdraw') return <WithdrawPage page={page} />;
  if (page.kind === 'cancel') return <CancelPage page={page} />;
  return <LinkPage page={page} />;
}

void mountPage<StatementPage>((page) => <StatementsApp page={page} />, { loadAlso: loadStatementTexts });
