import { useState } from 'preact/hooks';
import { followLink } from '../ui/api.ts';
import { useLocale } from '../ui/locale.tsx';
import { MessagePanel } from '../ui/parts/message-panel.tsx';
import { Notice } from '../ui/parts/notice.tsx';
import type { LinkPage as Page } from '../ui/statement.ts';
import { Frame } from './frame.tsx';
import { s } from './text.ts';

/** Behind a link in a mail. Nothing is done until the button is pressed: programs follow links, too. */
export function LinkPage({ page }: { page: Page }) {
  const { tCode } = useLocale();
  const [state, setState] = useState(page.state);
  const [isBusy, setBusy] = useState(false);
  const [notice, setNotice] = useState<string | null>(null);
  const { kind, number } = page;
  const press = async () => {
    setBusy(true);
    setNotice(null);
    const answer = await followLink(window.location.pathname);
    setBusy(false);
    if (answer.kind === 'ok') setState('done');
    else if (answer.kind === 'lost') setNotice(s('statement.lost'));
    else setNotice(tCode('error.', answer.code, answer.message));
  };
  const heading = s(`${kind}.${state}.title`);
  return (
    <Frame page={page} title={heading}>
      <MessagePanel
        sign={state === 'done' ? 'seal' : 'alert'}
        heading={heading}
        text={s(`${kind}.${state}.text`, { number })}
      >
        {state === 'open' && (
          <button
            type="button"
            class="primary"
            disabled={isBusy}
            aria-busy={isBusy}
            onClick={() => void press()}
          >
            <span>{s(`${kind}.submit`)}</span>
          </button>
        )}
        {notice && <Notice text={notice} />}
      </MessagePanel>
    </Frame>
  );
}
