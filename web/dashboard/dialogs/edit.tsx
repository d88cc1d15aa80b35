/** Edits of what is there: changed fields only, and never over somebody else's. */
import { notifications } from '@mantine/notifications';
import { useMemo, useState } from 'react';
import { type Row, rowsOf, textOf } from '../api/objects.ts';
import { useStore } from '../app/store.tsx';
import { DeclaredForm } from '../forms/declared-form.tsx';
import { FORMS, toOfferFields } from '../forms/forms.ts';
import {
  PROCESSOR_NAME,
  ROUTING_FIELDS,
  TRANSFER_FIELDS,
  toProcessorBody,
  toProcessorRow,
} from '../forms/processors.ts';
import { MEMBER_FIELDS } from '../forms/roles.ts';
import { narrowScopes } from '../forms/scopes.ts';
import type { Field, FormDeclaration } from '../forms/types.ts';
import { useCurrency } from '../forms/use-currency.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useLocale } from '../ui/locale.tsx';
import type { TextKey } from '../ui/texts.ts';

interface EditDeclaration {
  title: TextKey;
  fields: readonly Field[];
  /** Those of the fields that such an object has. */
  fieldsOf?: (row: Row) => readonly Field[];
  path(row: Row): string;
  /** As `/v0/changes` calls it. */
  object: string;
  /** The operation that tells how it is now, and where its answer holds it; a member has none. */
  read: ((row: Row) => { path: string; in: string }) | null;
  shape?: (row: Row) => Row;
  /** Turns the changed fields into the body, where they are not it. */
  toBody?: FormDeclaration['toBody'];
}

const id = (row: Row) => encodeURIComponent(textOf(row, 'id'));
const fieldsOf = (form: string, without: readonly string[] = []): readonly Field[] =>
  (FORMS[form]?.fields ?? []).filter(({ name }) => !without.includes(name));

const OFFER_FIELDS = fieldsOf('offer', ['productId']);

const edits = (object: string, at: string, inside: string) => ({
  object,
  path: (row: Row) => `${at}/${id(row)}/update`,
  read: (row: Row) => ({ path: `${at}/${id(row)}`, in: inside }),
});

export const EDITS: Readonly<Record<string, EditDeclaration>> = {
  'edit-product': {
    title: 'edit.product',
    fields: fieldsOf('product', ['type']),
    ...edits('product', '/v0/products', 'product'),
  },
  'edit-offer': {
    title: 'edit.offer',
    fields: OFFER_FIELDS,
    // An offer of a subscription has an interval, and no other has.
    fieldsOf: (row) => toOfferFields(OFFER_FIELDS, textOf(row, 'recurringInterval') !== ''),
    ...edits('offer', '/v0/offers', 'offer'),
  },
  'edit-plan': {
    title: 'edit.plan',
    fields: fieldsOf('plan'),
    path: (row) => `/v0/products/${encodeURIComponent(textOf(row, 'productId'))}/plans/${id(row)}/update`,
    object: 'plan',
    // A single one is told by no operation.
    read: null,
  },
  'edit-discount': {
    title: 'edit.discount',
    fields: fieldsOf('discount'),
    ...edits('discount', '/v0/discounts', 'discount'),
  },
  'edit-webhook': {
    title: 'edit.webhook',
    fields: fieldsOf('webhook'),
    ...edits('webhook', '/v0/webhooks', 'webhook'),
  },
  'edit-checkout': {
    title: 'edit.checkout',
    fields: fieldsOf('checkout'),
    ...edits('checkoutElement', '/v0/elements/checkout', 'checkoutElement'),
    // The cart is told as offers and taken as their ids.
    shape: (row) => ({ ...row, offersIds: rowsOf(row, 'offers').map((offer) => textOf(offer, 'id')) }),
  },
  'edit-custom-field': {
    title: 'edit.customField',
    fields: fieldsOf('custom-field'),
    ...edits('custom_field', '/v0/custom-fields', 'customField'),
    // A single one is told by no operation.
    read: null,
  },
  'edit-key': {
    title: 'edit.key',
    fields: fieldsOf('key-pair', ['isForPages']),
    ...edits('api_key', '/v0/api-keys', 'apiKey'),
    // A single one is told by no operation.
    read: null,
    shape: (row) => ({ ...row, readsWithPublicKey: row.readRequiresSecret === false }),
    toBody: ({ readsWithPublicKey, ...filled }) =>
      readsWithPublicKey === undefined
        ? filled
        : { ...filled, readRequiresSecret: readsWithPublicKey !== true },
  },
  'edit-customer': {
    title: 'action.correctEmail',
    fields: [{ name: 'email', kind: 'email', required: true, hint: 'customer.emailHint' }],
    ...edits('user', '/v0/users', 'user'),
  },
  'edit-processor': {
    title: 'edit.processor',
    fields: [PROCESSOR_NAME, ...TRANSFER_FIELDS, ...ROUTING_FIELDS],
    ...edits('processor', '/v0/processors', 'processor'),
    shape: toProcessorRow,
    toBody: toProcessorBody,
  },
  'edit-account': {
    title: 'edit.processor',
    fields: [PROCESSOR_NAME, ...ROUTING_FIELDS],
    ...edits('processor', '/v0/processors', 'processor'),
  },
  'edit-member': {
    title: 'edit.member',
    fields: MEMBER_FIELDS,
    path: (row) => `/v0/members/${id(row)}/update`,
    object: 'member',
    read: null,
  },
};

export function Edit({
  declaration,
  row: given,
  close,
}: {
  declaration: EditDeclaration;
  row: Row;
  close: () => void;
}) {
  const { t } = useLocale();
  const { workspace, may } = useStore();
  const standard = useCurrency();
  // What the form was filled from stays, whatever becomes of the object behind it.
  const [row] = useState(() => declaration.shape?.(given) ?? given);
  const edited = useMemo(
    () => ({
      object: declaration.object,
      id: textOf(row, 'id'),
      read: declaration.read?.(row) ?? null,
      version: row.version === undefined ? undefined : `"${textOf(row, 'version')}"`,
      shape: declaration.shape,
    }),
    [declaration, row],
  );
  const form: FormDeclaration = useMemo(
    () => ({
      title: declaration.title,
      submit: 'save',
      method: 'PATCH',
      path: declaration.path(row),
      fields: narrowScopes(declaration.fieldsOf?.(row) ?? declaration.fields, { role: workspace.role, may }),
      toBody: declaration.toBody,
    }),
    [declaration, row, workspace.role, may],
  );
  const done = () => {
    notifications.show({ message: t('form.done') });
    close();
  };
  return (
    <Dialog onClose={close} title={t(declaration.title)}>
      <DeclaredForm
        declaration={form}
        current={row}
        currency={textOf(row, 'currency') || standard}
        edited={edited}
        done={done}
      />
    </Dialog>
  );
}
