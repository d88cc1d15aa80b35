/** What the environment says, as the service reads it. */
import type { FilesPlace } from './domain/files-place.ts';
import type { CallRates } from './domain/processors/call-rate.ts';
import type { RetentionDays } from './domain/retention.ts';

export interface Setting {
  group: string;
  /** As the environment would say it; null = unset. */
  fallback: string | null;
  /** The bounds of a whole number. */
  whole?: readonly [min: number, max: number];
  /** The only values. */
  words?: readonly string[];
  /** How it looks where the default does not show it. */
  example?: string;
  /** `all`: its value is never told; `password`: what stands in it as one is not. */
  secret?: 'all' | 'password';
  says: string;
}

export interface Config {
  port: number;
  host: string;
  /** Where buyers and receivers reach this service; links in answers and mails begin with it. */
  publicUrl: string;
  /** The same where it was set by hand and others reach it, else null. */
  publicUrlByHand: string | null;
  databaseUrl: string | null;
  /** Where migrations reach it; null = there, too. */
  migrateDatabaseUrl: string | null;
  /** A standby for what may be seconds old; null = none. */
  reportsDatabaseUrl: string | null;
  migrate: 'auto' | 'now' | 'off';
  /** What form statements have where the store is not spread. */
  storeForm: 'plain' | 'spread';
  dataDir: string;
  /** Where uploads and PDFs lie; null = in DATA_DIR. */
  files: FilesPlace | null;
  role: 'all' | 'api' | 'worker';
  logLevel: string;
  logFormat: 'json' | 'text';
  seedDemo: 'auto' | boolean;
  /** Requests per second and key pair; 0 = off. */
  rateLimitLive: number;
  rateLimitTest: number;
  /** Networks (CIDR) that webhooks may reach although they are not public. */
  egressAllowCidrs: string[];
  /** Where the EU's register of VAT numbers is asked. */
  viesUrl: string;
  /** Where mails are handed over; null = they are kept, to be read by the merchant. */
  smtpUrl: string | null;
  /** The address that mails come from; the name beside it is the seller's. */
  mailFrom: string;
  uploadMaxBytes: number;
  databaseConnectionsMax: number;
  /** Of the embedded store; null = it is not backed up. */
  backups: BackupConfig | null;
  /** BACKUP_DIR is set beside DATABASE_URL: nothing is backed up there. */
  isBackupDirIdle: boolean;
  /** Days of real time that things are kept; 0 = for ever. */
  retainDays: RetentionDays;
  /** Where days are written down before they are deleted; null = nowhere. */
  retainExport: FilesPlace | null;
  drainTimeoutMs: number;
  /** How long a stopping process goes on taking requests, so that who shares them out looks away first. */
  drainDelayMs: number;
  /** Of a worker alone; null = it listens nowhere. */
  healthPort: number | null;
  /** Where metrics are read: a port of their own, and the token that reads them on the main one. Null = not at all. */
  metricsPort: number | null;
  metricsHost: string;
  metricsToken: string | null;
  /** The collector that traces are sent to; null = nothing is traced. */
  tracesUrl: string | null;
  /** How long a payment processor's answer is waited for; after that the outcome is unknown and is asked for later. */
  processorTimeoutMs: number;
  /** Where Stripe's API is, and its script for pages; another than Stripe's own is a stand-in's. */
  stripeApiUrl: string;
  stripeJsUrl: string;
  /** Null = nothing is served for Apple. */
  applePayAssociation: string | null;
  /** Of the account that the first workspace is connected to at start; null = none. */
  stripeKeys: { secretKey: string; publishableKey: string } | null;
  paypalApiUrl: string;
  paypalSandboxApiUrl: string;
  /** Calls a second over one connection; null = those of its mode. */
  processorRates: CallRates | null;
  /** Nothing is sent to a processor that was meant to be sent longer ago. */
  processorSendWithinMs: number;
  /** Proxies in front whose `x-forwarded-for` is believed: addresses, networks (CIDR) and `loopback`. */
  trustProxy: string[];
  /** Under what secrets are kept: the first seals, all open. None = an embedded store makes one. */
  secretsKeys: string[];
  /** Whether strangers may make accounts. */
  signUp: 'closed' | 'open';
  /** Whether passwords, and links in their place, are a way in. */
  passwordSignIn: boolean;
  /** Another's word for who somebody is; null = nobody's. */
  oidc: OidcConfig | null;
  /** Other names of this API: `x-<name>-public-key` and `<name>-…` are understood as `x-svc-…` and `svc-…` are. */
  nameAliases: string[];
}

export interface BackupConfig {
  backupDir: string;
  sameDisk: boolean;
  /** When of the day (UTC) a base backup is due, in minutes. */
  atMinute: number;
  keepDays: number;
}

export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** As the button calls it. */
  name: string;
  /** Whether its word for several factors (`amr`) is taken. */
  trustMfa: boolean;
  /** Whether it is on this very machine, where it may do without TLS. */
  isLoopback: boolean;
}
