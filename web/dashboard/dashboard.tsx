/** Where the dashboard begins: what is drawn is decided by the address and by who is signed in. */
import '../ui/styles/tokens.css';
import './styles/mantine.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/parts.css';
import './styles/print.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { Root } from './app/root.tsx';
import { Boundary } from './ui/boundary.tsx';
import { LocaleProvider } from './ui/locale.tsx';
import { loadTexts, wantedLanguage } from './ui/texts.ts';
import { schemeManager, theme } from './ui/theme.ts';
import { Toasts } from './ui/toasts.tsx';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);

const app = document.getElementById('app');
if (!app) throw new Error('the page has no place to draw in');

const { texts, language } = await loadTexts(wantedLanguage());
document.documentElement.lang = language;
createRoot(app).render(
  <MantineProvider
    theme={theme}
    colorSchemeManager={schemeManager}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <QueryClientProvider client={queryClient}>
      <LocaleProvider initialLanguage={language} initialTexts={texts}>
        <Boundary>
          <Toasts />
          <Root />
        </Boundary>
      </LocaleProvider>
    </QueryClientProvider>
  </MantineProvider>,
);
