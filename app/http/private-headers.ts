/**
 * For pages whose address holds a key. Only our own site gets the Referer, which the check of where a form comes from
 * needs, and search engines do not index the page.
 */
export const PRIVATE_HEADERS = { 'Referrer-Policy': 'same-origin', 'X-Robots-Tag': 'noindex, nofollow' };
