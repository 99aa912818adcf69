import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../../../app.ts'
import { readMarkdown } from './markdown.ts'

/** A page of the documentation, written in docs/*.md. */
export interface DocsPage {
  slug: string
  title: string
  /** Its first sentence, for lists of pages. */
  lead: string
  /** Words that people use for what the page and its parts are about, for search. */
  words: Words
  /** With this deployment's own addresses. */
  markdown: string
}

/** By the id of a heading of level 2; the words of the page itself have the empty id. */
export type Words = Readonly<Record<string, string>>

export interface DocsGroup {
  name: string
  pages: DocsPage[]
}

const DOCS = join(import.meta.dirname, '../../../../docs')

const GROUPS: ReadonlyArray<{ name: string; pages: ReadonlyArray<readonly [slug: string, words: string | Words]> }> = [
  {
    name: 'Use',
    pages: [
      ['quickstart', 'first steps begin getting started hello world tutorial sign up curl'],
      [
        'resolve',
        {
          '': 'integrate http request url',
          'which-endpoint': 'which endpoint should use choose compare difference between enrich resolve partner',
          'test-mode':
            'sandbox test api key try without paying spending credits fake data development fixtures simulate',
          'the-register': 'search list companies employees region filter company profile officers',
        },
      ],
      [
        'outcomes',
        {
          '': 'result meaning why no match return matched needs_review needs review no_match non_uk_entity scrape_failed',
          'who-decides': 'ai llm language model gpt claude hallucination use turn off',
          evidence:
            'proof quote hash sha256 checklist weights why another company verify pack confidence percent certain sure',
          'seal-an-answer':
            'kyb kyc aml file auditor regulator onboarding due diligence print pdf compliance record sealed signature',
          'check-a-sealed-answer': 'check proof again years later verify document',
          'kept-pages': 'warc web archive archived copy of the pages that were read hash',
          history: 'history earlier compare two readings changed since re-check again share link send without account',
          review: 'decide human approve reject uncertain candidate person',
          dispute: 'wrong match refund mistake dispute company credit back',
          'check-without-our-programs': 'openssl rfc 3161 time stamp authority check signed record pdfsig',
        },
      ],
      [
        'spreadsheets',
        {
          '': 'crm leads salesforce hubspot clean enrich sales csv list',
          'google-sheets': 'google sheets apps script formula each row column company numbers',
          excel: 'office script',
          'a-column-in-clay-and-other-tables': 'clay airtable zapier make n8n column partner table row enrichment',
          'bulk-jobs':
            'bulk batch upload csv many domains file thousands download results limit of rows company names numbers with postcodes',
        },
      ],
      [
        'watching',
        {
          '': 'watch monitor watchlist portfolio companies',
          lists: 'several watchlists tags note folder import',
          'the-feed': 'unread feed',
          'types-of-signals': 'which types of signals',
          'e-mails': 'weekly daily digest e-mail alert one list',
          'due-dates-in-your-calendar': 'calendar ics outlook due dates deadlines',
          'slack-and-teams': 'slack microsoft teams channel message chat post signals alerts warnings only',
        },
      ],
      [
        'webhooks',
        {
          '': 'callback notification get notified when company changes webhook receive events',
          verify: 'verify webhook signature hmac secret',
          retries: 'retry schedule deliveries server down retries',
          replay: 'replay missed events was down',
        },
      ],
      [
        'agents',
        {
          '': 'mcp server url address claude chatgpt cursor oauth tool agent ai assistant connect connector spend credits',
          clients: 'sdk library package npm pip typescript python install cli command line',
        },
      ],
      [
        'charging',
        'pay if nothing found price prices cost costs much lookup credits billing free money invoice ledger paid balance charged twice',
      ],
      ['accuracy', 'precision recall how accurate often wrong false positives error rate benchmark measured'],
      [
        'data-protection',
        {
          '': 'gdpr privacy personal data retention how long keep kept stored delete erase subject access export account searches',
          'your-audit-log': 'audit log trail stream siem splunk who did what sign-ins activity',
        },
      ],
      ['changelog', 'versions release new changes changed breaking deprecated'],
    ],
  },
  {
    name: 'Operate',
    pages: [
      [
        'self-hosting',
        'administrator operator overview map docker compose kubernetes install self host own server on premises postgres',
      ],
      [
        'deploying',
        'production kubernetes compose tls backup restore upgrade roll out new release companies house key settings',
      ],
      ['runbook', 'alert incident outage trouble pager on call queue stuck'],
      ['scale', 'size capacity millions hardware partition one server handle requests domains citus kafka replica'],
      ['second-reader', 'provider hallucination evaluate budget'],
      ['audit-log', 'tamper hash chain verify anchors check the log'],
      ['page-archive', 'web archive store of pages s3 bucket object storage replay'],
      ['evidence-keys', 'signing keys certificate rotate time stamp authority settings'],
      ['stored-data', 'columns table of personal data withhold person erase export commands'],
      ['security', 'asvs owasp encryption password vulnerability penetration soc2'],
      ['threat-model', 'attack attacker threats risk abuse ssrf'],
      ['proof', 'speed performance load test chaos benchmark reliability latency'],
    ],
  },
]

export function readPages(app: Pick<App, 'config'>): DocsGroup[] {
  return GROUPS.map(({ name, pages }) => ({ name, pages: pages.map(([slug, words]) => readPage(app, slug, words)) }))
}

function readPage({ config }: Pick<App, 'config'>, slug: string, words: string | Words): DocsPage {
  const markdown = readFileSync(join(DOCS, `${slug}.md`), 'utf8')
    .replaceAll('https://api.example.com', config.baseUrl.origin)
    .replaceAll('https://app.example.com', config.siteUrl.origin)
  return { slug, words: typeof words === 'string' ? { '': words } : words, markdown, ...readMarkdown(markdown) }
}
