import { useEffect, useState } from 'react';
import { useLocale } from '../ui/locale.tsx';
import { type IssueTexts, sayIssue } from './issues.ts';
import { loadIssueTexts } from './refusals.ts';

/** Says what the API found wrong in the language of the page, as soon as the words for it are there. */
export function useSaid(): (message: string) => string {
  const { language } = useLocale();
  const [texts, setTexts] = useState<IssueTexts | null>(null);
  useEffect(() => {
    setTexts(null);
    if (language !== 'en') loadIssueTexts(language).then(setTexts, () => {});
  }, [language]);
  return (message) => (texts === null ? message : sayIssue(message, texts));
}
