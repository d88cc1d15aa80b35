/** The language of the dashboard: its texts, and how it writes money, times and countries. */
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { formatSize } from '../../ui/file-size.ts';
import { type Currency, decimalsOf, formatMoney, formatPercentage } from '../../ui/money.ts';
import { setWords } from '../api/client.ts';
import {
  fillText,
  hasText,
  keepLanguage,
  loadRoomTexts,
  loadTexts,
  type TextKey,
  type Texts,
  type TextValues,
} from './texts.ts';
import { toWords } from './to-words.ts';

export interface Locale {
  language: string;
  t(key: TextKey, values?: TextValues): string;
  /** The text of a name that the API made up (a status, a kind), or the name in plain words. */
  tName(prefix: string, name: string): string;
  money(amountMinor: number, currency: string, decimals?: number | null): string;
  number(value: number): string;
  percentage(percentage: number): string;
  fileSize(bytes: number): string;
  /** Day and time in the store's zone. */
  time(timeMs: number, zone: string): string;
  day(timeMs: number, zone: string): string;
  countryName(code: string): string;
  setLanguage(language: string): Promise<void>;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(language: string, zone: string, style: 'time' | 'day'): Intl.DateTimeFormat {
  const key = `${language} ${zone} ${style}`;
  let format = formats.get(key);
  if (!format) {
    const options =
      style === 'time'
        ? ({ dateStyle: 'medium', timeStyle: 'short' } as const)
        : ({ dateStyle: 'medium' } as const);
    format = new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
    formats.set(key, format);
  }
  return format;
}

function createLocale(language: string, texts: Texts): Omit<Locale, 'setLanguage'> {
  const countries = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  const numbers = new Intl.NumberFormat(language);
  return {
    language,
    t: (key, values) => fillText(texts[key] ?? key, values),
    tName: (prefix, name) =>
      hasText(texts, prefix + name) ? texts[(prefix + name) as TextKey] : toWords(name),
    money: (amountMinor, currency, decimals) => {
      const of: Currency = { currency, currencyDecimals: decimals ?? decimalsOf(currency) };
      return formatMoney(amountMinor, of, language);
    },
    number: (value) => numbers.format(value),
    percentage: (percentage) => formatPercentage(percentage, language),
    fileSize: (bytes) => formatSize(bytes, language),
    time: (timeMs, zone) => dateFormat(language, zone, 'time').format(timeMs),
    day: (timeMs, zone) => dateFormat(language, zone, 'day').format(timeMs),
    countryName: (code) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
  };
}

interface Speaking extends Locale {
  /** Rooms whose own words are there. */
  rooms: readonly string[];
  enterRoom(room: string): Promise<void>;
}

const LocaleContext = createContext<Speaking | null>(null);

interface Spoken {
  language: string;
  texts: Texts;
  rooms: readonly string[];
}

export function LocaleProvider(props: { initialLanguage: string; initialTexts: Texts; children: ReactNode }) {
  const [state, setState] = useState<Spoken>({
    language: props.initialLanguage,
    texts: props.initialTexts,
    rooms: [],
  });
  const { language, rooms } = state;
  const setLanguage = useCallback(
    async (wanted: string) => {
      const loaded = await loadTexts(wanted);
      const more = await Promise.all(rooms.map((room) => loadRoomTexts(room, loaded.language)));
      keepLanguage(loaded.language);
      document.documentElement.lang = loaded.language;
      setState({ ...loaded, texts: Object.assign({}, loaded.texts, ...more), rooms });
    },
    [rooms],
  );
  const enterRoom = useCallback(
    async (room: string) => {
      const more = await loadRoomTexts(room, language);
      setState((before) =>
        before.language === language && !before.rooms.includes(room)
          ? { ...before, texts: { ...before.texts, ...more }, rooms: [...before.rooms, room] }
          : before,
      );
    },
    [language],
  );
  const locale = useMemo(
    () => ({ ...createLocale(language, state.texts), rooms, setLanguage, enterRoom }),
    [language, state.texts, rooms, setLanguage, enterRoom],
  );
  // Before anything below has asked for anything: what is called in an effect of theirs comes later.
  useLayoutEffect(() => {
    const { t } = locale;
    setWords({
      noAnswer: t('failure.noAnswer'),
      answered: (status) => t('failure.answered', { status }),
    });
  }, [locale]);
  return <LocaleContext.Provider value={locale}>{props.children}</LocaleContext.Provider>;
}

function useSpeaking(): Speaking {
  const speaking = useContext(LocaleContext);
  if (!speaking) throw new Error('a part was drawn outside its LocaleProvider');
  return speaking;
}

export const useLocale = (): Locale => useSpeaking();

/** Asks for the words of a room, and tells whether they are there. */
export function useRoom(room: string): boolean {
  const { rooms, enterRoom } = useSpeaking();
  const isThere = rooms.includes(room);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    if (!isThere) enterRoom(room).catch(setFailure);
  }, [isThere, enterRoom, room]);
  // As for a script that does not come: whoever catches it asks to load the page anew.
  if (failure) throw failure;
  return isThere;
}
