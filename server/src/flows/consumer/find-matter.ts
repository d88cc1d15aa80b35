/** Whether a statement comes from whoever bought what it is about. */
import { toEmailNormal } from '../../domain/email.ts';

/** The e-mail is the order's; of an erased buyer nobody's is. */
export function isOwnMailbox(email: string, bought: { email: string | null }): boolean {
  return bought.email !== null && toEmailNormal(email) === toEmailNormal(bought.email);
}
