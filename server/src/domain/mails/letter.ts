/** A mail as it is written, before it becomes HTML and plain text: both are made from the same blocks. */

export interface Line {
  name: string;
  /** What is worth a smaller line below the name. */
  detail: string | null;
  /** Null where money is not the point. */
  amount: string | null;
}

export interface Fact {
  label: string;
  value: string;
}

/** `isSum` = the one that counts. */
export interface Total extends Fact {
  isSum: boolean;
}

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'note'; text: string }
  | { kind: 'facts'; facts: Fact[] }
  /** `totals` in the order in which they come about. */
  | { kind: 'lines'; lines: Line[]; totals: Total[] }
  | { kind: 'keys'; title: string; keys: string[] }
  /** To be typed somewhere else: large enough to be read from a telephone. */
  | { kind: 'code'; label: string; code: string }
  /** `fallback` stands before the address itself. */
  | { kind: 'button'; label: string; url: string; fallback: string }
  | { kind: 'link'; label: string; url: string };

export interface FooterLink {
  label: string;
  url: string;
}

/** What a kind of mail writes: plain text in every field, nothing escaped. */
export interface Draft {
  subject: string;
  title: string;
  /** The line that inboxes show beside the subject. */
  preview: string;
  blocks: Block[];
}

/** The draft with what surrounds it. */
export interface Letter extends Draft {
  language: string;
  /** Whose mail it is: the seller to buyers. */
  from: string;
  /** Address of the picture that stands for the name; null = the name itself. */
  logo: string | null;
  /** `#rrggbb`, dark enough for white; null = ours. */
  accent: string | null;
  footer: string[];
  footerLinks: FooterLink[];
  /** Set above the letter in test mode. */
  banner: string | null;
}
