/** What a language has to say in letters to accounts. */
import type { AccountMailKind } from '../../resources/accounts/account-mails.queries.ts';

export interface Words {
  subject: string;
  /** A link stands behind the first. */
  lines: string[];
}

/** What a letter tells, as text: what is not known is empty. */
export type LetterFacts = Record<
  'workspaceName' | 'inviterName' | 'step' | 'day' | 'failures' | 'by' | 'change',
  string
>;

export interface LetterWords {
  from(place: string): string;
  /** What changed of an account, by the operation that changed it. */
  changes: Readonly<Record<string, string>>;
  cameFrom(address: string): string;
  kinds: Record<AccountMailKind, (facts: LetterFacts) => Words>;
}
