/** A page for each code: what it means, why it comes, and what ends it. */
import { ERRORS, type ErrorCode } from '../../domain/errors.ts';
import { REMEDIES, toPlainRemedy } from './remedies.ts';

export function toErrorPage(code: ErrorCode, operations: readonly string[]): string {
  const { status, message } = ERRORS[code];
  const [cause, remedy] = REMEDIES[code] ?? [message, toPlainRemedy(status)];
  const from =
    operations.length === 0
      ? 'Answered on the pages of buyers, or outside the operations of the API.'
      : `Answered by ${operations.map((one) => `\`${one}\``).join(', ')}.`;
  return [
    `# ${code}`,
    `Status ${status}. ${message}`,
    `**Cause.** ${cause}`,
    `**Remedy.** ${remedy}`,
    operations.length > 40 ? `Answered by ${operations.length} operations of the API.` : from,
    '',
  ].join('\n\n');
}
