/** The deployment under test, and what is beside it that helps to show more of the contract. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export interface Deployment {
  baseUrl: URL
  siteUrl: URL
  /** Shows the e-mails it sends, as `npm run dev` does. With it the run opens accounts of its own. */
  mailboxUrl: URL | null
  /** Makes the register change and shows webhooks that arrived, as `npm run dev` does. */
  outsideUrl: URL | null
  /** Settings with which a second process of the service can be started here. */
  environmentFile: string | null
  /** A ready account, for where there is no mailbox. */
  login: { email: string; password: string } | null
  apiKey: string | null
  testApiKey: string | null
  /** A public https address for a destination, where no outside page names one. */
  webhookUrl: string
  samples: Samples | null
  /** Two companies of the register that the outside page may change: one is watched, the other is not. */
  changingCompanies: { watched: string; unwatched: string } | null
}

/** The subjects of live resolutions. They cost up to two credits. */
export interface Samples {
  matchedDomain: string
  reviewDomain: string
  unmatchedDomain: string
  /** The number of a company whose web site can be verified. */
  websiteCompany: string
}

export interface Options extends Partial<Samples> {
  baseUrl?: string
  siteUrl?: string
  mailboxUrl?: string
  outsideUrl?: string
  envFile?: string
  email?: string
  password?: string
  apiKey?: string
  testApiKey?: string
  webhookUrl?: string
  changingCompanies?: string
}

const LOCAL = join(import.meta.dirname, '../../.local')

/** The deployment that `npm run dev` starts. */
export const DEVELOPMENT = {
  baseUrl: 'http://localhost:4000',
  mailboxUrl: 'http://localhost:4001',
  outsideUrl: 'http://localhost:4002',
  envFile: join(LOCAL, 'dev.env'),
  matchedDomain: 'brinsteadlogistics.co.uk',
  reviewDomain: 'sunrise-cleaning.co.uk',
  unmatchedDomain: 'whinthorpe-pc.gov.uk',
  websiteCompany: '07796074',
  changingCompanies: '06803801,16203618',
} as const

export function toDeployment(given: Options): Deployment {
  const baseUrl = given.baseUrl ?? DEVELOPMENT.baseUrl
  const isDevelopment = new URL(baseUrl).origin === DEVELOPMENT.baseUrl
  const options: Options = isDevelopment ? { ...DEVELOPMENT, ...given } : given
  const { email, password, mailboxUrl, outsideUrl, envFile } = options
  return {
    baseUrl: new URL(baseUrl),
    siteUrl: new URL(options.siteUrl ?? baseUrl),
    mailboxUrl: mailboxUrl ? new URL(mailboxUrl) : null,
    outsideUrl: outsideUrl ? new URL(outsideUrl) : null,
    environmentFile: envFile && existsSync(envFile) ? envFile : null,
    login: email !== undefined && password !== undefined ? { email, password } : null,
    apiKey: options.apiKey ?? null,
    testApiKey: options.testApiKey ?? null,
    webhookUrl: options.webhookUrl ?? 'https://example.com/nameplate',
    samples: toSamples(options),
    changingCompanies: toPair(options.changingCompanies),
  }
}

function toSamples(options: Options): Samples | null {
  const { matchedDomain, reviewDomain, unmatchedDomain, websiteCompany } = options
  if (!matchedDomain || !reviewDomain || !unmatchedDomain || !websiteCompany) return null
  return { matchedDomain, reviewDomain, unmatchedDomain, websiteCompany }
}

function toPair(numbers = ''): Deployment['changingCompanies'] {
  const [watched, unwatched] = numbers.split(',')
  return watched && unwatched ? { watched, unwatched } : null
}
