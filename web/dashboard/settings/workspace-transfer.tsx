/** Handing the workspace over: the Owner offers it to a member, who takes it within some days. */

import { useState } from 'react';
import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { DialogFrame } from '../dialogs/frame.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';

export function Transfer({ own, changed }: { own: Row; changed: () => void }) {
  const { t, day } = useLocale();
  const { workspace, session, zone, may } = useStore();
  const [isOffering, setOffering] = useState(false);
  const write = useWrite();
  const isActive = workspace.state === 'active' || workspace.state === 'warned';
  const members = useRead<{ members: Row[] }>('/v0/members/list', {
    query: 'take=100',
    enabled: isActive && may('members'),
  });
  const offer = rowOf(own, 'transfer');
  const isOwner = workspace.role === 'owner';
  const others = (members.data?.members ?? []).filter((one) => textOf(one, 'role') !== 'owner');
  const offered = others.find((one) => textOf(one, 'id') === textOf(offer, 'memberId'));
  const isMine = offered !== undefined && textOf(offered, 'accountId') === session.account.id;
  if (!isActive || (!isOwner && !isMine)) return null;
  const until = day(numberOf(offer, 'expiresAt') ?? 0, zone);
  const act = (verb: 'accept' | 'withdraw') =>
    write.mutate({ method: 'POST', path: `/v0/workspace/transfer/${verb}` }, { onSuccess: changed });
  return (
    <section className="part" aria-labelledby="transfer-title">
      <h2 id="transfer-title">{t('transfer.title')}</h2>
      <ErrorNotice text={write.error?.message} />
      {isMine && !isOwner ? (
        <>
          <p className="notice">{t('transfer.toYou', { date: until })}</p>
          <button type="button" className="main-button" onClick={() => act('accept')}>
            {t('transfer.accept')}
          </button>
        </>
      ) : offer ? (
        <>
          <p className="notice">{t('transfer.offered', { member: textOf(offered, 'email'), date: until })}</p>
          <button type="button" className="plain-button" onClick={() => act('withdraw')}>
            {t('transfer.withdraw')}
          </button>
        </>
      ) : (
        <>
          <p className="soft">{t(others.length > 0 ? 'transfer.text' : 'transfer.nobody')}</p>
          {others.length > 0 ? (
            <button type="button" className="plain-button" onClick={() => setOffering(true)}>
              {t('transfer.offer')}
            </button>
          ) : null}
        </>
      )}
      {isOffering ? (
        <Offer
          members={others}
          close={() => {
            setOffering(false);
            changed();
          }}
        />
      ) : null}
    </section>
  );
}

function Offer({ members, close }: { members: Row[]; close: () => void }) {
  const { t } = useLocale();
  const [memberId, setMemberId] = useState(textOf(members[0], 'id'));
  const write = useWrite();
  const submit = () =>
    write.mutate(
      { method: 'POST', path: '/v0/workspace/transfer', body: { memberId } },
      { onSuccess: close },
    );
  return (
    <DialogFrame
      title={t('transfer.offer')}
      text={t('transfer.text')}
      confirm={t('transfer.offer')}
      isBusy={write.isPending}
      error={write.error}
      close={close}
      submit={submit}
    >
      <div className="text-field">
        <label htmlFor="transfer-member">{t('transfer.member')}</label>
        <select
          id="transfer-member"
          value={memberId}
          onChange={(event) => setMemberId(event.currentTarget.value)}
        >
          {members.map((one) => (
            <option key={textOf(one, 'id')} value={textOf(one, 'id')}>
              {textOf(one, 'email')}
            </option>
          ))}
        </select>
      </div>
    </DialogFrame>
  );
}
