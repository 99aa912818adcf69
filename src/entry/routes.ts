import { apiKeysRoutes } from './api/account/api-keys.ts'
import { auditRoutes } from './api/account/audit.ts'
import { authRoutes } from './api/account/auth.ts'
import { connectionsRoutes } from './api/account/connections.ts'
import { creditsRoutes } from './api/account/credits.ts'
import { ledgerExportRoutes } from './api/account/ledger-export.ts'
import { notificationsRoutes } from './api/account/notifications.ts'
import { profileRoutes } from './api/account/profile.ts'
import { settingsRoutes } from './api/account/settings.ts'
import { viewsRoutes } from './api/account/views.ts'
import { bulkRoutes } from './api/bulk/bulk.ts'
import { bulkEvidenceRoutes } from './api/bulk/bulk-evidence.ts'
import { bulkFilesRoutes } from './api/bulk/bulk-files.ts'
import { bulkResultsRoutes } from './api/bulk/bulk-results.ts'
import { bulkRowsRoutes } from './api/bulk/bulk-rows.ts'
import { livenessRoutes, type OperationsOptions, operationsRoutes } from './api/operations/operations.ts'
import { statusRoutes } from './api/operations/status.ts'
import { companyGroupRoutes } from './api/register/company-group.ts'
import { companyProfileRoutes } from './api/register/company-profile.ts'
import { companySearchRoutes } from './api/register/company-search.ts'
import { companySignalsRoutes } from './api/register/company-signals.ts'
import { filingDocumentRoutes } from './api/register/filing-document.ts'
import { filingRoutes } from './api/register/filings.ts'
import { officersRoutes } from './api/register/officers.ts'
import { archiveRoutes } from './api/resolution/archive.ts'
import { enrichRoutes, partnerEnrichRoutes, resolveDomainRoutes } from './api/resolution/domain-routes.ts'
import { evidenceRoutes, readEvidencePage } from './api/resolution/evidence.ts'
import { evidenceKeysRoutes, wellKnownKeysRoutes } from './api/resolution/evidence-keys.ts'
import { evidenceRecordRoutes } from './api/resolution/evidence-record.ts'
import { historyRoutes } from './api/resolution/history.ts'
import { jobStatusRoutes } from './api/resolution/job-status.ts'
import { resolveCompanyRoutes } from './api/resolution/resolve-company.ts'
import { readSharedPage, shareLinksRoutes } from './api/resolution/share-links.ts'
import { listReviewsRoute } from './api/review/list-reviews.ts'
import { reviewsRoutes } from './api/review/reviews.ts'
import { togetherRoutes } from './api/review/together.ts'
import { importCompaniesRoutes } from './api/watchlist/import-companies.ts'
import { listCalendarRoutes } from './api/watchlist/list-calendar.ts'
import { listExportRoutes } from './api/watchlist/list-export.ts'
import { listEntriesRoutes, listsRoutes } from './api/watchlist/lists.ts'
import { readStateRoutes, signalFeedRoutes } from './api/watchlist/signal-feed.ts'
import { watchlistRoutes } from './api/watchlist/watchlist.ts'
import { webhooksRoutes } from './api/webhooks/destinations.ts'
import { WEBHOOKS } from './api/webhooks/events.ts'
import { webhookListenersRoutes } from './api/webhooks/listeners.ts'
import { webhookRecoveryRoutes } from './api/webhooks/recovery.ts'
import { testSignalsRoutes } from './api/webhooks/test-signals.ts'
import type { EntryPoints } from './http/server.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { accountRoutes, connectedAppsRoutes } from './site/account.ts'
import { assetsRoutes } from './site/assets.ts'
import { botRoutes } from './site/bot.ts'
import { calendarRoutes } from './site/calendar-file.ts'
import { consoleRoutes } from './site/console.ts'
import { designPageRoutes } from './site/design-page.ts'
import { docsRoutes } from './site/docs/routes.ts'
import { evidenceDocumentRoutes, evidencePageRoutes } from './site/evidence.ts'
import { filingDocumentPageRoutes } from './site/filing-document.ts'
import { homeRoutes } from './site/landing/home.ts'
import { legalRoutes } from './site/legal.ts'
import { sendMissingPage } from './site/missing.ts'
import { oauthRoutes } from './site/oauth.ts'
import { passwordsRoutes } from './site/passwords.ts'
import { pricingRoutes } from './site/pricing.ts'
import { preparePages } from './site/session.ts'
import { sharedPageRoutes } from './site/shared-page.ts'
import { signInRoutes } from './site/sign-in.ts'
import { signUpRoutes, verifyEmailRoutes } from './site/sign-up.ts'
import { statusPageRoutes } from './site/status.ts'
import { unsubscribeRoutes } from './site/unsubscribe.ts'
import { verifyPageRoutes } from './site/verify.ts'
import { wellKnownRoutes } from './site/well-known.ts'

/** Every HTTP plugin there is. */
export function createEntryPoints(isDraining: () => boolean): EntryPoints {
  return {
    api: [
      authRoutes,
      profileRoutes,
      apiKeysRoutes,
      creditsRoutes,
      ledgerExportRoutes,
      notificationsRoutes,
      settingsRoutes,
      viewsRoutes,
      auditRoutes,
      connectionsRoutes,
      enrichRoutes,
      jobStatusRoutes,
      resolveDomainRoutes,
      resolveCompanyRoutes,
      evidenceRoutes,
      historyRoutes,
      shareLinksRoutes,
      archiveRoutes,
      evidenceRecordRoutes,
      evidenceKeysRoutes,
      listReviewsRoute,
      reviewsRoutes,
      togetherRoutes,
      bulkRoutes,
      bulkFilesRoutes,
      bulkResultsRoutes,
      bulkRowsRoutes,
      bulkEvidenceRoutes,
      partnerEnrichRoutes,
      companySearchRoutes,
      companyProfileRoutes,
      companyGroupRoutes,
      companySignalsRoutes,
      filingDocumentRoutes,
      filingRoutes,
      officersRoutes,
      watchlistRoutes,
      listsRoutes,
      listEntriesRoutes,
      listExportRoutes,
      importCompaniesRoutes,
      listCalendarRoutes,
      signalFeedRoutes,
      readStateRoutes,
      webhooksRoutes,
      webhookRecoveryRoutes,
      webhookListenersRoutes,
      testSignalsRoutes,
      statusRoutes,
    ],
    site: [
      preparePages,
      assetsRoutes,
      homeRoutes,
      pricingRoutes,
      legalRoutes,
      wellKnownRoutes,
      statusPageRoutes,
      verifyPageRoutes,
      designPageRoutes,
      signInRoutes,
      signUpRoutes,
      verifyEmailRoutes,
      passwordsRoutes,
      accountRoutes,
      consoleRoutes,
      connectedAppsRoutes,
      evidencePageRoutes(readEvidencePage),
      sharedPageRoutes(readSharedPage),
      calendarRoutes,
      evidenceDocumentRoutes,
      filingDocumentPageRoutes,
      oauthRoutes,
      unsubscribeRoutes,
      docsRoutes,
      botRoutes,
    ],
    anyHost: [operationsRoutes({ isDraining, reportsSharedState: true }), wellKnownKeysRoutes, mcpRoutes],
    webhooks: WEBHOOKS,
    sendMissingPage,
  }
}

/** The routes that every process has on its operations port. */
export function createOperationsEntryPoints(operations: OperationsOptions): EntryPoints {
  return { api: [], site: [], anyHost: [operationsRoutes(operations), livenessRoutes], webhooks: {} }
}
