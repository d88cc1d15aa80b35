/** Asks the person in front of the screen, in place: to sign in again, or to prove that it is still them. */
import { Suspense, useEffect, useRef, useState } from 'react';
import { setGate } from '../api/client.ts';
import { laterWithTexts } from '../ui/later.tsx';
import type { Question } from './gate-dialogs.tsx';

// Also where no workspace has brought the words of the frame along.
const GateDialogs = laterWithTexts('app', () => import('./gate-dialogs.tsx'));

export function Gate() {
  const [question, setQuestion] = useState<Question | null>(null);
  const waiting = useRef<Array<(isDone: boolean) => void>>([]);
  useEffect(() => {
    // Several calls may be refused at once; one answer serves them all.
    const ask = (next: Question) => () =>
      new Promise<boolean>((resolve) => {
        waiting.current.push(resolve);
        setQuestion(next);
      });
    setGate({ signIn: ask('signIn'), prove: ask('prove') });
    return () => {
      setGate({ signIn: async () => false, prove: async () => false });
      for (const resolve of waiting.current.splice(0)) resolve(false);
    };
  }, []);
  const answer = (isDone: boolean) => {
    setQuestion(null);
    for (const resolve of waiting.current.splice(0)) resolve(isDone);
  };
  return (
    <Suspense fallback={null}>
      {question ? <GateDialogs question={question} answer={answer} /> : null}
    </Suspense>
  );
}
