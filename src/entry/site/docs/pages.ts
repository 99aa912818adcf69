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
  /** Words that people use for what the page is about, for search. */
  words: string
  /** With this deployment's own addresses. */
  markdown: string
}

export interface DocsGroup {
  name: string
  pages: DocsPage[]
}

const DOCS = join(import.meta.dirname, '../../../../docs')

const GROUPS: ReadonlyArray<{ name: string; pages: ReadonlyArray<readonly [slug: string, words: string]> }> = [
  {
    name: 'Start',
    pages: [
      ['quickstart', 'first steps begin getting started hello world tutorial sign up api key curl'],
      ['test-mode', 'sandbox test key try without paying fake data development fixtures simulate'],
    ],
  },
  {
    name: 'For you',
    pages: [
      ['for-compliance', 'kyc due diligence aml compliance officer monitoring'],
      [
        'for-sales-operations',
        'crm spreadsheet csv list leads salesforce hubspot clean enrich sales employees region filter search',
      ],
      ['for-developers', 'integrate integration backend engineer programmer sdk http request'],
    ],
  },
  {
    name: 'Concepts',
    pages: [
      ['endpoints', 'difference between enrich resolve partner which endpoint choose compare url'],
      [
        'outcomes',
        'result meaning why no match return matched needs_review no_match non_uk_entity scrape_failed confidence percent certain sure',
      ],
      ['evidence', 'proof quote hash sha256 checklist weights explanation why another company verify pack'],
      ['evidence-records', 'sealed signature timestamp tamper'],
      ['second-reader', 'ai llm language model gpt claude hallucination turn off'],
      [
        'charging',
        'pay if nothing found price prices cost costs much credits pay billing free refund money invoice ledger paid balance',
      ],
    ],
  },
  {
    name: 'Guides',
    pages: [
      ['spreadsheets', 'google sheets excel office apps script formula function add-on cell spreadsheet'],
      ['table', 'clay airtable http api column partner table row zapier make n8n'],
      [
        'bulk',
        'csv upload many domains batch file list spreadsheet thousands limit rows match company names numbers postcodes',
      ],
      ['review', 'decide human approve reject dispute wrong match candidate refund mistake person'],
      ['history', 'history past earlier compare two readings changed since re-check again share link expiry'],
      ['kyb-file', 'kyb file evidence auditor onboarding record print pdf compliance audit regulator'],
      [
        'watchlists',
        'watch monitor several lists tags note folder group portfolio import companies unread feed calendar ics outlook due dates deadlines',
      ],
      [
        'webhooks',
        'callback notification notified when company changes signature verify hmac secret retry replay receive events signals',
      ],
      [
        'slack-and-teams',
        'slack microsoft teams channel message chat workflow incoming webhook card notify post alerts severity warnings only',
      ],
      [
        'audit-log',
        'audit log trail who did what when siem splunk sign-in history activity tamper hash chain security events actions',
      ],
      ['agents', 'mcp claude chatgpt cursor oauth tool agent ai assistant connect connector'],
      ['clients', 'sdk library package npm pip typescript python cli command line install'],
    ],
  },
  {
    name: 'Operate',
    pages: [
      ['self-hosting', 'docker compose kubernetes install self host own server on premises postgres'],
      [
        'deploying',
        'production kubernetes compose tls backup restore upgrade roll out new release companies house key settings',
      ],
      [
        'page-archive',
        'warc web archive pages kept keep page snapshot s3 bucket object storage replay old site said then',
      ],
      ['runbook', 'alert incident outage trouble pager on call queue stuck'],
      ['scale', 'size capacity millions hardware partition one server handle requests domains citus kafka replica'],
    ],
  },
  {
    name: 'About',
    pages: [
      ['accuracy', 'precision recall how accurate often wrong false positives error rate benchmark measured'],
      ['proof', 'speed performance load test chaos benchmark reliability latency'],
      ['security', 'asvs owasp encryption password vulnerability penetration soc2'],
      [
        'data-protection',
        'gdpr privacy personal data retention how long keep kept stored delete erase subject access export account',
      ],
      ['threat-model', 'attack attacker threats risk abuse ssrf'],
      ['changelog', 'versions release new changes deprecated history'],
    ],
  },
]

export function readPages(app: Pick<App, 'config'>): DocsGroup[] {
  return GROUPS.map(({ name, pages }) => ({ name, pages: pages.map(([slug, words]) => readPage(app, slug, words)) }))
}

function readPage({ config }: Pick<App, 'config'>, slug: string, words: string): DocsPage {
  const markdown = readFileSync(join(DOCS, `${slug}.md`), 'utf8')
    .replaceAll('https://api.example.com', config.baseUrl.origin)
    .replaceAll('https://app.example.com', config.siteUrl.origin)
  return { slug, words, markdown, ...readMarkdown(markdown) }
}
