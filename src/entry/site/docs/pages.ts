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
  /** With this deployment's own addresses. */
  markdown: string
}

export interface DocsGroup {
  name: string
  pages: DocsPage[]
}

const DOCS = join(import.meta.dirname, '../../../../docs')

const GROUPS: ReadonlyArray<{ name: string; slugs: readonly string[] }> = [
  { name: 'Start', slugs: ['quickstart', 'test-mode'] },
  { name: 'Concepts', slugs: ['endpoints', 'outcomes', 'evidence', 'second-reader', 'charging'] },
  {
    name: 'Guides',
    slugs: ['table', 'bulk', 'review', 'kyb-file', 'webhooks', 'agents', 'clients', 'reconcile', 'self-hosting'],
  },
  { name: 'About', slugs: ['accuracy', 'proof', 'security', 'data-protection', 'threat-model', 'changelog'] },
]

export function readPages(app: Pick<App, 'config'>): DocsGroup[] {
  return GROUPS.map(({ name, slugs }) => ({ name, pages: slugs.map((slug) => readPage(app, slug)) }))
}

function readPage({ config }: Pick<App, 'config'>, slug: string): DocsPage {
  const markdown = readFileSync(join(DOCS, `${slug}.md`), 'utf8')
    .replaceAll('https://api.example.com', config.baseUrl.origin)
    .replaceAll('https://app.example.com', config.siteUrl.origin)
  return { slug, markdown, ...readMarkdown(markdown) }
}
