import type { ErrorCode } from '../../../errors.ts'

/** Advice for each error code, shown on its page under /docs/errors. */
export const ADVICE: Record<ErrorCode, string> = {
  invalid_request:
    'Look at `errors` in the body: each entry names a member of your request and what is wrong with it. Correct it and send again.',
  invalid_token:
    'The link works once, and a reset link only for an hour. Ask for a new one with POST /v1/auth/forgot-password.',
  invalid_domain:
    'Send the domain of a web site, such as example.co.uk; a whole address or an e-mail address will do too. An e-mail address at a mail provider and a page on a social network, marketplace or website builder say nothing about who uses them; the bare domain of such a platform is read like any other.',
  password_too_common:
    'Attackers try lists of common passwords first, and this one is on such a list or holds our name or your address. Choose a few unrelated words.',
  missing_credentials:
    'Send your API key in the X-API-Key header, or the token from POST /v1/auth/login as Authorization: Bearer. Each endpoint says which it takes.',
  invalid_credentials:
    'Check for a missing character. A session ends after 24 hours and whenever the password changes: log in again. A rotated API key ends after its overlap.',
  account_disabled:
    'The operator of this service has disabled the account. Nothing of it works until it is enabled again. Write to the operator.',
  email_not_verified:
    'Follow the link in the verification e-mail, also look in the spam folder. Signing up again with the same address sends a new one.',
  insufficient_credits:
    'GET /v1/auth/me shows the balance and what is held for work under way; GET /v1/account/ledger shows where every credit went. Held credits come back when the work ends without a match.',
  plan_limit_reached:
    'Every plan allows so many watched companies and webhook destinations; `limit` says how many. GET /v1/auth/me shows how many companies you watch, GET /v1/partner/webhooks lists your destinations. Remove some, or move to a larger plan. One destination with signal_type `all` does the work of many.',
  connection_cap_reached:
    'A connected app may spend only so many credits a day. Raise its cap under “Connected apps” on the site, or wait until midnight in London. API keys have no such cap.',
  password_required:
    'A session alone does not make a new API key. Send your password as `current_password`, or log in and send the request with that session within 15 minutes. A token of the console always needs the password.',
  foreign_form:
    'A form of our site was sent from another one. If that was not you, nothing happened. Open the page here and send it again.',
  foreign_origin:
    'The agent endpoint answers only at its own address, and in a browser only to our own pages. Programs send no Origin header; an address that merely leads here is refused.',
  insufficient_scope:
    'The token was given for something else. Connect the program again, and let it ask for the scope service:mcp.',
  company_not_found:
    'No live company has this number or exactly this name, or several have the name. Take the number of one of the `candidates`, or search the register.',
  not_found: 'There is nothing here, or it is not yours: both look the same. Check the path and the id.',
  method_not_allowed:
    'The Allow header of the answer names the method to use. The agent endpoint takes POST alone: it keeps no sessions and opens no streams of its own.',
  account_exists:
    'Log in, or ask for a new password. If the account was never verified, a fresh verification e-mail was just sent.',
  destination_exists:
    'A destination of yours sends these events to the same address. Use that one: POST …/rotate-secret gives it a new secret. To start again, DELETE it first. Another type of event may go to the same address.',
  listener_limit_reached:
    'Five programs may listen at a time. Stop one with DELETE /v1/webhook-listeners/{id}, or wait five minutes after its end.',
  destination_disabled:
    'We stopped sending because the receiver failed for days, answered 410, or its name leads nowhere public. Mend it, try it with POST …/test, then POST …/enable and POST …/replay with {"only":"missing"}.',
  bulk_limit_reached:
    'GET /v1/bulk lists your bulks. Wait until one has ended, or end one with POST /v1/bulk/{id}/cancel; it can be resumed later.',
  idempotency_key_in_use:
    'Your first request with this key has not ended yet. Wait as long as Retry-After says and send it again: you will get its answer.',
  payload_too_large: 'The body is larger than the endpoint takes. Send fewer items at once.',
  unsupported_media_type: 'Send JSON with the header content-type: application/json.',
  idempotency_key_reused:
    'This key came with another body or path within the last 24 hours. Use a new key for every new request.',
  rate_limited:
    'Wait as long as Retry-After says. The RateLimit headers of every answer tell how much is left, so that you can slow down before.',
  internal_error: 'This is our mistake, and it has been recorded. Try again; if it stays, send us the request_id.',
  unavailable:
    'A part of the service cannot be reached at this moment. Wait as long as Retry-After says and try again.',
  busy: 'More requests of this kind than can be worked on at once. Wait as long as Retry-After says and try again.',
}
