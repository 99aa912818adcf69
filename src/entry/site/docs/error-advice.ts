import type { ErrorCode } from '../../../errors.ts'

/** Advice for each error code, shown on its page under /docs/errors. */
export const ADVICE: Record<ErrorCode, string> = {
  invalid_request:
    'Look at `errors` in the body: each entry names a member of your request and what is wrong with it. Correct it and send again.',
  invalid_token:
    'The link works once, and a reset link only for an hour. Ask for a new one with POST /v1/auth/forgot-password.',
  invalid_domain:
    'Send the domain of a web site, such as example.co.uk. A whole address or an e-mail address works too. An e-mail address at a mail provider and a page on a social network, marketplace or website builder do not identify their users; the bare domain of such a platform is read like any other.',
  password_too_common:
    'Attackers try lists of common passwords first, and this one is on such a list or contains our name or your address. Choose several unrelated words.',
  missing_credentials:
    'Send your API key in the X-API-Key header, or the token from POST /v1/auth/login as Authorization: Bearer. The reference of each endpoint names what it accepts.',
  invalid_credentials:
    'Check for a missing character. A session ends after 24 hours and whenever the password changes: log in again. A rotated API key ends after its overlap.',
  account_disabled:
    'The operator of this service has disabled the account. It does not work until the operator enables it again. Write to the operator.',
  email_not_verified:
    'Follow the link in the verification e-mail. Look in the spam folder too. Signing up again with the same address sends a new one.',
  insufficient_credits:
    'More credits come with [a plan](/pricing) or from the operator. `GET /v1/auth/me` shows the balance and the credits reserved for running work. `GET /v1/account/ledger` lists every movement. Reserved credits are released when the work ends without a match.',
  plan_limit_reached:
    'Every plan has a limit of watched companies and webhook destinations; `limit` has the number. GET /v1/auth/me shows how many companies you watch, GET /v1/partner/webhooks lists your destinations. Remove some, or move to a larger plan. One destination with signal_type `all` does the work of many.',
  connection_cap_reached:
    'A connected app has a daily credit cap. Raise it under “Connected apps” on the site, or wait until midnight London time. API keys have no such cap.',
  password_required:
    'A session alone cannot create a new API key. Send your password as `current_password`, or log in and send the request with that session within 15 minutes. A token of the console always needs the password.',
  foreign_form:
    'Another site sent a form of our site. Nothing was changed. Open the page here and send the form again.',
  foreign_origin:
    'The agent endpoint works only at its own address, and in a browser only for our own pages. Programs send no Origin header. We refuse other addresses that point here.',
  insufficient_scope: 'The token has another scope. Connect the program again with the scope service:mcp.',
  company_not_found:
    'No live company has this number or exactly this name, or several have the name. Use the number of one of the `candidates`, or search the register.',
  not_found: 'There is nothing here, or it is not yours: both look the same. Check the path and the id.',
  method_not_allowed:
    'The Allow header of the response names the method to use. The agent endpoint accepts only POST: it has no sessions and opens no streams.',
  account_exists:
    'Log in, or ask for a new password. If the account was never verified, we have just sent a new verification e-mail.',
  destination_exists:
    'You already have a destination with this address for these events. Use it: POST …/rotate-secret gives it a new secret. To start again, DELETE it first. You can send another type of event to the same address.',
  listener_limit_reached:
    'Five programs can listen at a time. Stop one with DELETE /v1/webhook-listeners/{id}, or wait five minutes after its end.',
  destination_disabled:
    'We stopped sending because the receiver failed for days, returned 410, or its name points to no public address. Fix it, test it with POST …/test, then POST …/enable and POST …/replay with {"only":"missing"}.',
  bulk_limit_reached:
    'GET /v1/bulk lists your bulk jobs. Wait until one has ended, or cancel one with POST /v1/bulk/{id}/cancel. You can resume it later.',
  idempotency_key_in_use:
    'Your first request with this key has not ended yet. Wait for the time in Retry-After and send it again: you will get its response.',
  idempotency_response_lost:
    'Your first request with this key was carried out, but we lost its response. Look for what it made, for example among your lists, bulk jobs or destinations. If you missed a secret or a key, rotate it. With a new Idempotency-Key, the request would be carried out a second time.',
  payload_too_large: 'The body is larger than the endpoint accepts. Send fewer items at once.',
  unsupported_media_type: 'Send JSON with the header content-type: application/json.',
  idempotency_key_reused:
    'This key came with another body or path within the last 24 hours. Use a new key for every new request.',
  rate_limited:
    'Wait for the time in Retry-After. The RateLimit headers of every response show how much is left, so that you can slow down in time.',
  internal_error:
    'This is our mistake, and it has been recorded. Try again. If the error stays, send us the request_id.',
  unavailable: 'A part of the service is not available at the moment. Wait for the time in Retry-After and try again.',
  busy: 'There are more requests of this kind than we can process at once. Wait for the time in Retry-After and try again.',
}
