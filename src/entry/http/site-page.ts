import type { FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'

/** Browsers ask for HTML first. */
export function prefersHtml(accept: string | undefined): boolean {
  return /^\s*text\/html\b/i.test(accept ?? '')
}

/**
 * Where a person who opened the address in a browser finds the same on the site, where their session is; null for
 * programs, and for routes that have no such page.
 */
export function findSitePage({ config }: App, request: FastifyRequest): string | null {
  const { sitePage } = request.routeOptions.config
  const { headers } = request
  if (sitePage === undefined || !prefersHtml(headers.accept)) return null
  if (headers['x-api-key'] !== undefined || headers.authorization !== undefined) return null
  const params = request.params as Record<string, string | undefined>
  const path = sitePage.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = new URLSearchParams(request.url.split('?')[1] ?? '')
  if (query.get('format') === 'json') return null
  query.delete('format')
  const url = new URL(path, config.siteUrl)
  url.search = query.toString()
  return url.href
}
