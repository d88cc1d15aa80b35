/** What a buyer pays by, and who they are on documents. */

import { useEffect, useState } from 'preact/hooks';
import { COUNTRIES } from '../../ui/countries.ts';
import { useLocale } from '../../ui/locale.tsx';
import { SelectField, TextField } from '../../ui/parts/field.tsx';
import { useCountryOptions } from '../../ui/state/use-country-options.ts';
import { Loading, Screen, useData, usePortal, usePress } from '../context.tsx';
import { describeOwn } from '../method-names.ts';
import { toFullName } from '../names.ts';
import type { Method as Kept, Subscription } from '../shapes.ts';
import { p } from '../text.ts';
import { AddMethod } from './add-method.tsx';
import { Needs, type Overview } from './orders.tsx';

interface Method extends Kept {
  id: string;
  expMonth: number | null;
  expYear: number | null;
  isDefault: boolean;
  /** Else it pays its subscriptions alone. */
  kept: boolean;
  subscriptionIds: string[];
}

/** What a method is for: to pay what is owed. */
const OWING: ReadonlySet<string> = new Set(['owed', 'authentication']);
const LOOK_MS = 1_500;
const LOOKS = 4;

/** What is owed. A method that was given is tried a moment later: it is asked for until it is paid or the try is over. */
function useOwing() {
  const { data, error, reload } = useData<Overview>('/overview');
  const [looks, setLooks] = useState(0);
  const needs = data?.needs.filter(({ kind }) => OWING.has(kind)) ?? [];
  useEffect(() => {
    if (looks === 0 || needs.length === 0) return;
    const timer = window.setTimeout(() => {
      reload();
      setLooks(looks - 1);
    }, LOOK_MS);
    return () => window.clearTimeout(timer);
  }, [looks]);
  const lookAgain = () => {
    reload();
    setLooks(LOOKS);
  };
  const isKnown = data !== null || error !== null;
  return { isKnown, needs, subscriptions: data?.subscriptions ?? [], lookAgain };
}

export function MethodsScreen() {
  const locale = useLocale();
  const { asking, finish } = usePortal();
  const {
    data: listed,
    error,
    retry,
    reload,
  } = useData<{ paymentMethods: Method[] }>('/payment-methods/list');
  const { data: bought } = useData<{ subscriptions: Subscription[] }>('/subscriptions/list?take=100');
  const toName = (id: string) => {
    const item = bought?.subscriptions.find((one) => one.id === id)?.items[0];
    return item ? toFullName(item) : id;
  };
  const [added, setAdded] = useState(0);
  const owing = useOwing();
  // Shown with what is owed, which would push it down.
  const data = owing.isKnown ? listed : null;
  const { isBusy, error: refused, press } = usePress();
  const ask = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => {
    if (!(await press(() => asking.send(method, `/payment-methods${path}`, body)))) return;
    reload();
    owing.lookAgain();
    if (method !== 'DELETE') finish();
  };
  const onAdded = () => {
    reload();
    owing.lookAgain();
    setAdded(added + 1);
    finish();
  };
  const all = [...new Set(data?.paymentMethods.flatMap(({ subscriptionIds }) => subscriptionIds) ?? [])];
  return (
    <Screen title={p('methods.title')} error={refused ?? error} retry={refused ? null : retry}>
      {!data && !error && <Loading />}
      {/* Empty it is there before it is written into: one that comes with its words is not read out everywhere. */}
      <p role="status">
        {added > 0 && (
          <span key={added} class="portal-said">
            {p('methods.added')}
          </span>
        )}
      </p>
      <Needs needs={owing.needs} subscriptions={owing.subscriptions} />
      {data?.paymentMethods.length === 0 && <p>{p('methods.empty')}</p>}
      <ul class="portal-list">
        {data?.paymentMethods.map((one) => (
          <li key={one.id} class="portal-bought">
            <h2>
              {describeOwn(locale, one)} {one.isDefault && <span class="badge">{p('methods.default')}</span>}
            </h2>
            {one.subscriptionIds.length > 0 && (
              <p class="hint">
                {p('methods.pays', {
                  subscriptions: bought ? one.subscriptionIds.map(toName).join(', ') : '…',
                })}
              </p>
            )}
            <div class="portal-actions">
              {one.kept && !one.isDefault && (
                <button
                  type="button"
                  class="secondary"
                  disabled={isBusy}
                  onClick={() => void ask('PATCH', `/${one.id}/use`)}
                >
                  {p('methods.use')}
                </button>
              )}
              {one.kept && all.length > one.subscriptionIds.length && (
                <button
                  type="button"
                  class="secondary"
                  disabled={isBusy}
                  onClick={() => void ask('PATCH', `/${one.id}/use`, { subscriptionIds: all })}
                >
                  {p('methods.useAll')}
                </button>
              )}
              <button
                type="button"
                class="secondary"
                disabled={isBusy}
                onClick={() => void ask('DELETE', `/${one.id}`)}
              >
                {p('methods.remove')}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {data && <AddMethod key={added} onAdded={onAdded} />}
    </Screen>
  );
}

interface Details {
  details: Record<string, string | null>;
  taxNumberCheck: 'valid' | 'invalid' | 'unreachable' | null;
}

/** In Japanese the family's name is asked for first. */
const toPerson = (language: string) =>
  language === 'ja' ? (['lastName', 'firstName'] as const) : (['firstName', 'lastName'] as const);
const COMPANY = ['companyName', 'taxNumber'] as const;
const PLACE = ['address', 'postalCode', 'city'] as const;

export function DetailsScreen() {
  const { t, language } = useLocale();
  const countries = useCountryOptions(COUNTRIES);
  const { asking, finish, statesByCountry } = usePortal();
  const { data, error, retry, put } = useData<Details>('/details');
  const [typed, setTyped] = useState<Record<string, string | null> | null>(null);
  const [isSaved, setSaved] = useState(false);
  const { isBusy, error: refused, press } = usePress();
  useEffect(() => {
    if (data && !typed) setTyped(data.details);
  }, [data]);
  const title = p('details.title');
  if (!data || !typed)
    return (
      <Screen title={title} error={error} retry={retry}>
        {!error && <Loading />}
      </Screen>
    );
  const isCompany = typed.type === 'company';
  const states = statesByCountry[typed.countryCode ?? ''] ?? [];
  const set = (field: string, value: string | null) => {
    setSaved(false);
    // A state of another place is none; most postal codes tell theirs.
    const isMoving = field === 'countryCode' || (field === 'postalCode' && states.length > 0);
    setTyped({ ...typed, ...(isMoving ? { state: null } : {}), [field]: value });
  };
  const fields = [...(isCompany ? COMPANY : toPerson(language)), ...PLACE];
  const submit = async (event: Event) => {
    event.preventDefault();
    const given = Object.fromEntries(
      [...fields, 'state', 'countryCode'].map((field) => [field, typed[field] || null]),
    );
    const billingDetails = { ...given, type: isCompany ? 'company' : 'individual' };
    const next = await press(() => asking.send<Details>('PATCH', '/details', { billingDetails }));
    if (next) put(next);
    setSaved(next !== null);
    if (next) finish();
  };
  return (
    <Screen title={title} error={refused}>
      <form class="portal-form" onSubmit={submit}>
        <p>{p('details.text')}</p>
        <SelectField
          label={p('details.kind')}
          name="type"
          value={isCompany ? 'company' : 'individual'}
          placeholder=""
          options={[
            { value: 'individual', label: p('details.person') },
            { value: 'company', label: p('details.company') },
          ]}
          onValue={(value) => set('type', value)}
        />
        {fields.map((field) => (
          <TextField
            key={field}
            label={t(`billing.${field}`)}
            name={field}
            value={typed[field] ?? ''}
            hint={
              field === 'taxNumber' && data.taxNumberCheck ? t(`taxNumber.${data.taxNumberCheck}`) : undefined
            }
            onValue={(value) => set(field, value)}
          />
        ))}
        <SelectField
          label={t('billing.country')}
          name="countryCode"
          value={typed.countryCode ?? ''}
          placeholder={t('billing.countryChoose')}
          options={countries}
          autoComplete="country"
          onValue={(value) => set('countryCode', value)}
        />
        {states.length > 0 && (
          <SelectField
            label={t('billing.state')}
            name="state"
            value={typed.state ?? ''}
            placeholder={t('billing.stateChoose')}
            options={states.map(({ code, name }) => ({ value: code, label: name }))}
            autoComplete="address-level1"
            onValue={(value) => set('state', value)}
          />
        )}
        <button type="submit" class="primary" disabled={isBusy}>
          {p('details.save')}
        </button>
        {isSaved && <p role="status">{p('details.saved')}</p>}
      </form>
    </Screen>
  );
}
