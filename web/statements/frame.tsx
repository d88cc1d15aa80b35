import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { PageFooter, SellerLine } from '../ui/parts/seller-line.tsx';
import type { StatementPage } from '../ui/statement.ts';

interface FrameProps {
  page: StatementPage;
  title: string;
  children: ComponentChildren;
}

/** The sheet that all of these pages are written on. */
export function Frame({ page: { seller, legal, testMode }, title, children }: FrameProps) {
  useEffect(() => {
    document.title = `${title} · ${seller.name}`;
  }, [title, seller.name]);
  return (
    <div class="page narrow">
      <main class="ticket single">
        <SellerLine seller={seller} testMode={testMode} />
        {children}
      </main>
      <PageFooter seller={seller} legal={legal} />
    </div>
  );
}
