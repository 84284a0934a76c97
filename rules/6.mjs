// src/core/money/micro-usd.ts
var MICROS_PER_USD = 1000000n;
var MICRO_DIGITS = 6;
// @__NO_SIDE_EFFECTS__
function microUsd(value) {
  if (value < 0n) throw new Error("an amount of money is never negative");
  return value;
}
function formatUsd(amount2) {
  const whole2 = amount2 / MICROS_PER_USD;
  const fraction = (amount2 % MICROS_PER_USD).toString().padStart(MICRO_DIGITS, "0").replace(/0+$/, "");
  return fraction === "" ? whole2.toString() : `${whole2}.${fraction}`;
}

// src/core/limits.ts
var DEADLINE_DEFAULT_SECONDS = 60;
var CRAWL_SILENT_REQUESTS = 30;
var PROBES_IN_FLIGHT_PER_HOST = 3;
var CRAWL_SLOTS_PER_TARGET = PROBES_IN_FLIGHT_PER_HOST - 1;
var SANE_PRICE_MAX = /* @__PURE__ */ microUsd(10000000n);
var DEADLINE_MAX_SECONDS = 86400;
var URL_MAX_BYTES = 2048;
var ACCEPTS_MAX_ENTRIES = 64;

// src/core/receipt/terms-hash.ts
import { hash } from "node:crypto";

// src/core/x402/address.ts
var EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
var BASE58_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{40,44}$/;
var NOBODY = {
  evm: [`0x${"0".repeat(40)}`, `0x${"0".repeat(36)}dEaD`],
  solana: [`1nc1nerator${"1".repeat(32)}`]
};
function isAddress(text2, kind) {
  return kind === "evm" ? EVM_ADDRESS.test(text2) : BASE58_ADDRESS.test(text2);
}
function isAnyAddress(text2) {
  return EVM_ADDRESS.test(text2) || BASE58_ADDRESS.test(text2);
}
function isSameAddress(left, right) {
  if (EVM_ADDRESS.test(left) && EVM_ADDRESS.test(right)) return left.toLowerCase() === right.toLowerCase();
  return left === right;
}
function canReceive(payTo, { addresses, usdc }) {
  if (!isAddress(payTo, addresses)) return false;
  return ![...NOBODY[addresses], usdc].some((one) => isSameAddress(payTo, one));
}

// src/core/x402/networks.ts
var MAINNETS = [
  mainnet("eip155:8453", "base", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"),
  mainnet("eip155:1", "ethereum", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
  mainnet("eip155:10", "optimism", "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"),
  mainnet("eip155:137", "polygon", "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359"),
  mainnet("eip155:42161", "arbitrum", "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"),
  mainnet("eip155:43114", "avalanche", "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E"),
  mainnet(
    "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    "solana",
    "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
  )
];
var UNSUPPORTED_CHAINS = [
  ["base-sepolia", 84532],
  ["sepolia", 11155111],
  ["ethereum-sepolia", 11155111],
  ["optimism-sepolia", 11155420],
  ["arbitrum-sepolia", 421614],
  ["polygon-amoy", 80002],
  ["avalanche-fuji", 43113],
  ["bsc", 56],
  ["sei", 1329],
  ["sei-testnet", 1328],
  ["iotex", 4689],
  ["peaq", 3338]
];
var UNSUPPORTED_NAMES = [
  ...UNSUPPORTED_CHAINS.map(([name3, id]) => [name3, `eip155:${id}`]),
  ["solana-devnet", "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"],
  ["solana-testnet", "solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z"]
];
var BY_NAME = new Map([
  ...MAINNETS.flatMap(({ name: name3, network: network2 }) => [
    [name3, network2],
    [`${name3}-mainnet`, network2]
  ]),
  ...UNSUPPORTED_NAMES
]);
var NAMESPACES = "algorand|antelope|aptos|bip122|cosmos|fil|hedera|near|polkadot|starknet|stacks|stellar|sui|tezos|ton|tron|tvm|xrpl";
var NETWORK = new RegExp(
  `^(?:eip155:[1-9][0-9]{0,31}|solana:[1-9A-HJ-NP-Za-km-z]{32}|(?:${NAMESPACES}):[-_a-zA-Z0-9]{1,32})$`
);
var ASCII_NAME = /^[A-Za-z-]{2,32}$/;
function parseNetwork(text2) {
  const named = ASCII_NAME.test(text2) ? BY_NAME.get(text2.toLowerCase()) : void 0;
  const network2 = named ?? text2;
  if (!NETWORK.test(network2)) return null;
  return caip2(network2);
}
function mainnetOf(network2, networks = MAINNETS) {
  return networks.find((known) => known.network === network2) ?? null;
}
function mainnet(network2, name3, usdc) {
  return { network: caip2(network2), name: name3, addresses: network2.startsWith("eip155:") ? "evm" : "solana", usdc };
}
function caip2(text2) {
  return text2;
}

// src/core/x402/terms.ts
function termsText({
  network: network2,
  asset,
  amountAtomic,
  payTo
}) {
  return [network2, asset, amountAtomic, payTo].join("|").toLowerCase();
}
function quotedPrice(offer) {
  return isCanonicalUsdc(offer) ? microUsd(offer.amountAtomic) : null;
}
function isCanonicalUsdc({ network: network2, asset }) {
  const mainnet2 = mainnetOf(network2);
  return mainnet2 !== null && isSameAddress(asset, mainnet2.usdc);
}

// src/core/receipt/terms-hash.ts
function termsSha256(terms) {
  return hash("sha256", termsText(terms), "hex");
}

// src/core/url/path-template.ts
function isPathTemplate(path) {
  if (!MARK.test(path)) return false;
  return path.split("/").some((segment) => isPlaceholder(decodeMarks(segment).toLowerCase()));
}
var MARK = /[:{<%]/;
function isPlaceholder(segment) {
  return /^:[a-z]/.test(segment) || encloses(segment, "{", "}") || encloses(segment, "<", ">");
}
function encloses(segment, open, close) {
  const opening = segment.indexOf(open);
  return opening !== -1 && segment.lastIndexOf(close) > opening;
}
function decodeMarks(segment) {
  return segment.replaceAll(ENCODED_MARK, decodeURIComponent);
}
var ENCODED_MARK = /%(?:3a|7b|7d|3c|3e)/gi;

// src/core/url/redact-url.ts
var REDACTED = "REDACTED";
function isRedacted(url) {
  return url.includes(REDACTED);
}

// src/core/unreachable.ts
function unreachable(value) {
  throw new Error("a case that the types exclude was reached", { cause: value });
}

// src/core/verdict/verdict.ts
var RULES_VERSION = "6";
function badChallenge(fault) {
  return { verdict: "skip", reason: "bad_challenge", fault };
}
var VERDICT_OF_REASON = {
  price_ok: "pay",
  price_mismatch: "skip",
  network_mismatch: "skip",
  pay_to_mismatch: "skip",
  asset_not_usdc: "skip",
  network_unsupported: "skip",
  no_paywall: "skip",
  free_trial_active: "recheck",
  timeout: "recheck",
  server_error: "recheck",
  unreachable: "recheck",
  ssrf_blocked: "skip",
  bad_challenge: "skip",
  terms_differ: "skip",
  unconfirmed: "recheck"
};
function hintIn(verdict) {
  return verdict.reason === "no_paywall" ? verdict.hint : null;
}
function needsInput(verdict) {
  return hintIn(verdict)?.kind === "needs_input";
}

// src/core/verdict/crawl-words.ts
function crawlVerdict(finding) {
  if (finding.kind === "path_template") {
    return {
      verdict: "skip",
      code: "path_template",
      reason: "listing url is a path template, not a callable endpoint"
    };
  }
  if (finding.kind === "host_silent") {
    const reason = `not requested: host left ${CRAWL_SILENT_REQUESTS} requests in a row unanswered`;
    return { verdict: "recheck", code: "host_silent", reason };
  }
  const { verdict } = finding;
  if (verdict.reason === "unreachable" && verdict.cause === "name_not_found") {
    return { verdict: "skip", code: "name_not_found", reason: "dns lookup failed (host does not resolve)" };
  }
  const code = needsInput(verdict) ? "needs_input" : verdict.reason;
  return { verdict: verdict.verdict, code, reason: crawlWords(verdict) };
}
function crawlWords(verdict) {
  switch (verdict.reason) {
    case "price_ok":
      return verdict.priceCompared ? "matches listing" : "no listed price to compare";
    case "price_mismatch":
      return `price mismatch: listed $${formatUsd(verdict.expected)}, 402 asks $${formatUsd(verdict.quoted)}`;
    case "network_mismatch":
      return `network mismatch: listed ${verdict.expected}, 402 offers [${verdict.offered.map(name).join(", ")}]`;
    case "pay_to_mismatch":
      return `pay_to mismatch: listed ${verdict.expected}, 402 pays ${verdict.offered ?? "unknown"}`;
    case "asset_not_usdc":
      return `asset not canonical USDC (${name(verdict.network)})`;
    case "network_unsupported":
      return `network not a supported mainnet (${name(verdict.network)})`;
    case "no_paywall":
      return `no 402 challenge (HTTP ${verdict.status})`;
    case "bad_challenge":
      return badChallengeWords(verdict.fault);
    case "free_trial_active":
      return "free trial active";
    case "timeout":
      return "timeout after 5 s";
    case "server_error":
      return `server error (HTTP ${verdict.status})`;
    case "unreachable":
      return "unreachable";
    case "ssrf_blocked":
      return "blocked address";
    case "terms_differ":
      return "different terms to different visitors";
    case "unconfirmed":
      return "not confirmed from another point of view";
    default:
      return unreachable(verdict);
  }
}
function badChallengeWords(fault) {
  return fault.kind === "price_not_sane" ? `price not sane ($${formatUsd(fault.quoted)})` : "bad challenge (HTTP 402)";
}
function name(network2) {
  return network2 ?? "unknown";
}

// src/core/money/prices.ts
function isSanePrice(quoted, claimed) {
  if (claimed !== null && quoted === claimed) return true;
  return quoted > 0n && quoted <= SANE_PRICE_MAX;
}

// src/core/non-empty.ts
function isNonEmpty(list) {
  return list.length > 0;
}
function mapNonEmpty([first, ...rest], change) {
  return [change(first), ...rest.map(change)];
}

// src/core/x402/fold-key.ts
var PAYMENT_KEYS = ["payTo", "amount", "maxAmountRequired", "network", "asset", "scheme"];
var MONEY_KEYS = [...PAYMENT_KEYS, "maxTimeoutSeconds", "extra"];
function keySpellings(keys) {
  return {
    exact: new Set(keys),
    byFold: new Map(keys.map((key) => [foldKey(key), key])),
    lengths: new Set(keys.map((key) => key.length))
  };
}
function foldKey(key) {
  if (PLAIN.test(key)) return key.toLowerCase();
  return key.toUpperCase().toLowerCase().replace(/[_\ufffd-]/g, "");
}
var PLAIN = /^[A-Za-z0-9]*$/;

// src/core/x402/read-json.ts
function isJsonObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function member(object, key) {
  return Object.hasOwn(object, key) ? object[key] : void 0;
}
function parseJson(text2) {
  try {
    return JSON.parse(text2);
  } catch {
    return void 0;
  }
}

// src/core/x402/uint256.ts
var PLAIN_DIGITS = /^(0|[1-9][0-9]{0,77})$/;
var LIMIT = 2n ** 256n;
function parseUint256(text2) {
  if (typeof text2 !== "string" || !PLAIN_DIGITS.test(text2)) return null;
  const value = BigInt(text2);
  return value < LIMIT ? value : null;
}

// src/core/x402/offer.ts
var MONEY_SPELLINGS = keySpellings(MONEY_KEYS);
function isSameDemand(left, right) {
  return !right.selfContradictory && left.scheme === right.scheme && left.network === right.network && left.amountAtomic === right.amountAtomic && isSameAddress(left.asset, right.asset) && isSameAddress(left.payTo, right.payTo);
}

// src/core/order.ts
function order(left, right) {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

// src/core/x402/deadline.ts
function deadlineOf(offer, probedAt) {
  if (offer.validBeforeMs !== null) {
    if (offer.validBeforeMs <= probedAt.getTime()) return null;
    return { at: new Date(offer.validBeforeMs), source: "validBefore" };
  }
  if (offer.maxTimeoutSeconds !== null) {
    const seconds = Math.min(offer.maxTimeoutSeconds, DEADLINE_MAX_SECONDS);
    return { at: secondsAfter(probedAt, seconds), source: "maxTimeoutSeconds" };
  }
  return { at: secondsAfter(probedAt, DEADLINE_DEFAULT_SECONDS), source: "default_60s" };
}
function secondsAfter(start, seconds) {
  return new Date(start.getTime() + seconds * 1e3);
}

// src/core/verdict/candidate.ts
function candidateOf(offer, probedAt, networks) {
  const mainnet2 = mainnetOf(offer.network, networks);
  const isUsdc = mainnet2 !== null && isSameAddress(offer.asset, mainnet2.usdc);
  const rank = isUsdc ? networks.indexOf(mainnet2) : networks.length;
  return { offer, deadline: deadlineOf(offer, probedAt), mainnet: mainnet2, isUsdc, rank };
}
function isTimely(candidate) {
  return candidate.deadline !== null;
}
function isSupported(candidate) {
  return candidate.mainnet !== null;
}
function termsOf({ offer, deadline, mainnet: mainnet2 }) {
  return {
    scheme: "exact",
    network: mainnet2.network,
    asset: mainnet2.usdc,
    amountAtomic: microUsd(offer.amountAtomic),
    // USDC has six decimals on every supported network.
    payTo: offer.payTo,
    deadline: deadline.at,
    deadlineSource: deadline.source,
    maxTimeoutSeconds: offer.maxTimeoutSeconds ?? DEADLINE_DEFAULT_SECONDS
  };
}
function best(candidates) {
  return candidates.reduce((left, right) => compare(left, right) <= 0 ? left : right);
}
function compare(left, right) {
  return order(left.rank, right.rank) || order(left.offer.amountAtomic, right.offer.amountAtomic) || order(end(right), end(left)) || order(spelling(left.offer), spelling(right.offer));
}
function end({ deadline }) {
  return deadline === null ? 0 : deadline.at.getTime();
}
function spelling({ scheme, network: network2, asset, payTo }) {
  return [scheme, network2, asset, payTo].join("|");
}

// src/core/x402/demand.ts
function mayBeUsdc({ chain, network: network2, asset }, networks) {
  const isToken = asset !== null && (isAddress(asset, chain) || chain === "solana" && PROGRAM.test(asset));
  return isToken ? isUsdcSomewhere(asset, networks) : mainnetOf(network2, networks) !== null;
}
var PROGRAM = /^[1-9A-HJ-NP-Za-km-z]{32,39}$/;
function isUsdcSomewhere(token2, networks) {
  return token2 !== null && networks.some(({ usdc }) => isSameAddress(token2, usdc));
}

// src/core/verdict/other-demand.ts
function otherDemand({ demands, hasMoreEntries }, approved, networks) {
  if (hasMoreEntries) return { kind: "too_many_entries" };
  if (!hasOnePayee(demands, "evm") || !hasOnePayee(demands, "solana")) return { kind: "other_payee" };
  const inUsdc = demands.filter((demand) => mayBeUsdc(demand, networks));
  const dearer = inUsdc.find(({ amountAtomic }) => amountAtomic === null || amountAtomic > approved);
  if (dearer !== void 0) {
    const { network: network2, amountAtomic } = dearer;
    return { kind: "dearer_entry", network: network2, quoted: amountAtomic === null ? null : microUsd(amountAtomic) };
  }
  return inUsdc.some(({ transfer }) => transfer !== "ordinary") ? { kind: "odd_entry" } : null;
}
function hasOnePayee(demands, kind) {
  const payees = new Set(
    demands.filter(({ chain }) => chain === kind).map(({ payTo }) => kind === "evm" ? payTo?.toLowerCase() ?? null : payTo)
  );
  return payees.size <= 1 && !payees.has(null);
}

// src/core/verdict/judge-offers.ts
function judgeOffers(challenge, expected, probedAt, networks) {
  const offered = mapNonEmpty(challenge.offers, (offer) => candidateOf(offer, probedAt, networks));
  const exact = offered.filter(({ offer }) => offer.scheme === "exact");
  if (!isNonEmpty(exact)) return refused(offered, badChallenge({ kind: "not_exact" }));
  const timely = exact.filter(isTimely);
  if (!isNonEmpty(timely)) return refused(exact, badChallenge({ kind: "expired" }));
  const brief = timely.filter(({ offer }) => offer.transfer !== "too_long");
  if (!isNonEmpty(brief)) return refused(timely, badChallenge({ kind: "too_long" }));
  const ordinary = brief.filter(({ offer }) => offer.transfer === "ordinary");
  if (!isNonEmpty(ordinary)) return refused(brief, badChallenge({ kind: "other_method" }));
  return judgeNetwork(ordinary, { challenge, expected, networks });
}
function judgeNetwork(timely, against) {
  const { network: network2 } = against.expected;
  let wanted = timely;
  if (network2 !== null) {
    const same = timely.filter(({ offer }) => offer.network === network2);
    const offered = networksOf(timely);
    if (!isNonEmpty(same))
      return refused(timely, { ...skip, reason: "network_mismatch", expected: network2, offered });
    wanted = same;
  }
  const supported = wanted.filter(isSupported);
  if (!isNonEmpty(supported)) {
    return refused(wanted, { ...skip, reason: "network_unsupported", network: best(wanted).offer.network });
  }
  const inUsdc = supported.filter(({ isUsdc }) => isUsdc);
  if (!isNonEmpty(inUsdc)) {
    return refused(supported, {
      ...skip,
      reason: "asset_not_usdc",
      network: best(supported).mainnet.network
    });
  }
  return judgePayment(inUsdc, against);
}
function judgePayment(inUsdc, against) {
  const { payTo, price } = against.expected;
  let left = inUsdc;
  if (payTo !== null) {
    const same = left.filter(({ offer }) => isSameAddress(offer.payTo, payTo));
    const offered = addressOrNull(best(left).offer.payTo);
    if (!isNonEmpty(same))
      return refused(left, { ...skip, reason: "pay_to_mismatch", expected: payTo, offered });
    left = same;
  }
  if (price !== null) {
    const same = left.filter(({ offer }) => offer.amountAtomic === price);
    const quoted = microUsd(best(left).offer.amountAtomic);
    if (!isNonEmpty(same))
      return refused(left, { ...skip, reason: "price_mismatch", expected: price, quoted });
    left = same;
  }
  return judgeSafety(left, against);
}
function judgeSafety(left, { challenge, expected, networks }) {
  const sane = left.filter(({ offer }) => isSanePrice(microUsd(offer.amountAtomic), expected.price));
  if (!isNonEmpty(sane)) {
    const quoted = microUsd(best(left).offer.amountAtomic);
    return refused(left, badChallenge({ kind: "price_not_sane", quoted }));
  }
  const receivable = sane.filter(({ offer, mainnet: mainnet2 }) => canReceive(offer.payTo, mainnet2));
  if (!isNonEmpty(receivable)) return refused(sane, badChallenge({ kind: "payee_cannot_receive" }));
  const consistent = receivable.filter(({ offer }) => !offer.selfContradictory);
  if (!isNonEmpty(consistent)) return refused(receivable, badChallenge({ kind: "spelled_twice" }));
  const undisputed = consistent.filter(({ offer }) => isUndisputed(offer, challenge));
  if (!isNonEmpty(undisputed)) return refused(consistent, badChallenge({ kind: "header_and_body_differ" }));
  const chosen = best(undisputed);
  const other = otherDemand(challenge, microUsd(chosen.offer.amountAtomic), networks);
  if (other !== null) return refused(undisputed, badChallenge(other));
  const priceCompared = expected.price !== null;
  return {
    verdict: { verdict: "pay", reason: "price_ok", terms: termsOf(chosen), priceCompared },
    offer: chosen.offer
  };
}
function isUndisputed(offer, { offers, bodyOffers }) {
  if (bodyOffers === null || bodyOffers.some((other) => isSameDemand(offer, other))) return true;
  const isElsewhere = (other) => other.network !== offer.network && offers.some((one) => isSameDemand(one, other));
  return bodyOffers.length > 0 && bodyOffers.every(isElsewhere);
}
var skip = { verdict: "skip" };
function refused(candidates, verdict) {
  return { verdict, offer: best(candidates).offer };
}
function addressOrNull(payTo) {
  return isAnyAddress(payTo) ? payTo : null;
}
function networksOf(candidates) {
  return [...new Set(candidates.map(({ offer }) => offer.network))];
}

// src/core/input/missing-names.ts
var MISSING_NAMES_MAX = 8;

// src/core/input/telling-answer.ts
var WANTS_INPUT = /* @__PURE__ */ new Set([400, 411, 415, 422]);

// src/core/verdict/judge.ts
function judge(reading, expected, probedAt, networks = MAINNETS) {
  switch (reading.kind) {
    case "blocked":
      return noOffer({ verdict: "skip", reason: "ssrf_blocked" });
    case "timed_out":
      return noOffer({ verdict: "recheck", reason: "timeout" });
    case "unreachable":
      return noOffer({ verdict: "recheck", reason: "unreachable", cause: reading.cause });
    case "headers_too_large":
      return noOffer(badChallenge({ kind: "headers_too_large" }));
    case "answered":
      return judgeAnswer(reading, { expected, probedAt, networks });
    default:
      return unreachable(reading);
  }
}
function judgeAnswer(answer, standard) {
  const { status: status2, freeTrial } = answer;
  if (status2 >= 500 && status2 <= 599) return noOffer({ verdict: "recheck", reason: "server_error", status: status2 });
  const judgement = judgeChallenge(answer, standard);
  return freeTrial === null ? judgement : duringTrial(judgement, freeTrial);
}
function judgeChallenge({ status: status2, challenge }, { expected, probedAt, networks }) {
  switch (challenge.kind) {
    case "none":
      return noOffer({ verdict: "skip", reason: "no_paywall", status: status2, hint: null });
    case "unreadable":
      return noOffer(badChallenge({ kind: "unreadable" }));
    case "readable":
      return judgeOffers(challenge, expected, probedAt, networks);
    default:
      return unreachable(challenge);
  }
}
function duringTrial(judgement, { remaining }) {
  const { reason } = judgement.verdict;
  const postponed = reason === "no_paywall" || reason === "price_ok" && remaining !== 0;
  if (!postponed) return judgement;
  return { ...judgement, verdict: { verdict: "recheck", reason: "free_trial_active", remaining } };
}
function noOffer(verdict) {
  return { verdict, offer: null };
}

// src/core/verdict/judge-request.ts
function judgeRequest(observation, asked, expected, probedAt) {
  const judgement = judge(observation, expected, probedAt);
  const { verdict } = judgement;
  if (verdict.reason !== "no_paywall" || observation.kind !== "answered") return judgement;
  return { ...judgement, verdict: { ...verdict, hint: hintOf(observation, asked) } };
}
var WANTS_LOGIN = /* @__PURE__ */ new Set([401, 403, 407]);
function hintOf({ status: status2, refusal }, { method, listedMethod, takesPath }) {
  const other = method === "GET" ? "POST" : "GET";
  const isListedOther = listedMethod === other && (status2 === 400 || status2 === 404);
  if (isListedOther) return { kind: "wrong_method", other };
  if (status2 === 405)
    return refusal?.allow?.includes(other) === false ? null : { kind: "wrong_method", other };
  if (WANTS_INPUT.has(status2) || status2 === 404 && takesPath) return { kind: "needs_input" };
  return WANTS_LOGIN.has(status2) ? { kind: "needs_login" } : null;
}

// src/core/verdict/judge-views.ts
function judgeViews(seen, others, asked, expected, probedAt) {
  const own = judgeRequest(seen, asked, expected, probedAt);
  if (others === null) return own;
  const views = others.views.map((view) => ({
    isReadable: isReadable(view.seen),
    // As of our own moment: the clock of a stranger decides nothing.
    verdict: judgeRequest(view.seen, asked, expected, probedAt).verdict
  }));
  const { verdict } = own;
  if (verdict.verdict === "pay") return { ...own, verdict: confirmed(verdict, views, others.needed) };
  if (!isRefusal(verdict)) return own;
  return { ...own, verdict: contradicted(verdict, isReadable(seen), views, others.needed) };
}
function confirmed(pay, views, needed) {
  const agreed = views.filter(({ verdict }) => isSamePayment(verdict, pay.terms)).length;
  const differ = views.some(
    ({ isReadable: isReadable2, verdict }) => isReadable2 && verdict.verdict !== "recheck" && !isSamePayment(verdict, pay.terms)
  );
  if (differ) return TERMS_DIFFER;
  return agreed >= needed ? pay : { verdict: "recheck", reason: "unconfirmed", agreed, needed };
}
function contradicted(refusal, showsTerms, views, needed) {
  if (!views.some(({ verdict }) => verdict.verdict === "pay")) return refusal;
  if (showsTerms) return TERMS_DIFFER;
  const agreed = views.filter(({ verdict }) => isRefusal(verdict)).length;
  return { verdict: "recheck", reason: "unconfirmed", agreed, needed };
}
function isRefusal(verdict) {
  const isGone = verdict.reason === "unreachable" && verdict.cause === "name_not_found";
  return verdict.verdict === "skip" || isGone;
}
var TERMS_DIFFER = { verdict: "skip", reason: "terms_differ" };
function isReadable(seen) {
  return seen.kind === "answered" && seen.challenge.kind === "readable";
}
function isSamePayment(verdict, { network: network2, asset, amountAtomic, payTo }) {
  if (verdict.verdict !== "pay") return false;
  const { terms } = verdict;
  const isSameAmount = terms.network === network2 && terms.asset === asset && terms.amountAtomic === amountAtomic;
  return isSameAmount && isSameAddress(terms.payTo, payTo);
}

// src/core/verdict/reason-words.ts
function reasonWords(verdict) {
  switch (verdict.reason) {
    case "price_ok":
      return priceOkWords(verdict);
    case "price_mismatch":
      return priceMismatchWords(verdict);
    case "network_mismatch":
      return `The live 402 does not offer the expected network ${verdict.expected}; it offers ${names(verdict.offered)}.`;
    case "pay_to_mismatch":
      return "The payee of the live 402 is not the expected payee.";
    case "asset_not_usdc":
      return `The live 402 asks for a token other than the canonical USDC on ${verdict.network}.`;
    case "network_unsupported":
      return `The live 402 asks for payment on ${name2(verdict.network)}, which is not a supported mainnet.`;
    case "no_paywall":
      return noPaywallWords(verdict.status);
    case "bad_challenge":
      return badChallengeWords2(verdict.fault);
    case "ssrf_blocked":
      return "This URL leads to a blocked address, or to a host that opted out; nothing was sent.";
    case "free_trial_active":
      return freeTrialWords(verdict.remaining);
    case "timeout":
      return "The endpoint did not answer within 5 seconds; check again later.";
    case "server_error":
      return `The endpoint answered HTTP ${verdict.status}; check again later.`;
    case "unreachable":
      return UNREACHABLE_WORDS[verdict.cause];
    default:
      return unreachable(verdict);
  }
}
function priceOkWords({ terms, priceCompared }) {
  const asks = `The live 402 asks $${formatUsd(terms.amountAtomic)} in USDC on ${terms.network}`;
  if (priceCompared) return `${asks}, as expected.`;
  return `${asks}; no claimed or listed price to compare with. Send claimed_price to compare.`;
}
function priceMismatchWords({ expected, quoted }) {
  const way = quoted > expected ? "more" : "less";
  return `The live 402 asks $${formatUsd(quoted)}, ${way} than the expected $${formatUsd(expected)}.`;
}
function noPaywallWords(status2) {
  if (status2 === 402) return "The endpoint answered HTTP 402 without any x402 payment terms.";
  if (status2 >= 300 && status2 <= 399) {
    return `The endpoint answered HTTP ${status2} and redirects elsewhere; check the new address instead.`;
  }
  return `The endpoint answered HTTP ${status2} without asking for payment.`;
}
function badChallengeWords2(fault) {
  if (fault.kind === "dearer_entry") return dearerWords(fault);
  if (fault.kind !== "price_not_sane") return BAD_CHALLENGE_WORDS[fault.kind];
  return `The live 402 asks $${formatUsd(fault.quoted)}, which is not plausible without a claimed or listed price.`;
}
function dearerWords({ network: network2, quoted }) {
  const amount2 = quoted === null ? "an amount that cannot be read" : `$${formatUsd(quoted)}`;
  return anotherEntry(`asks for ${amount2} in USDC on ${name2(network2)}`);
}
function anotherEntry(demand) {
  return `Another entry of the live 402 ${demand}; a client could sign that one instead.`;
}
var BAD_CHALLENGE_WORDS = {
  too_long: "The live 402 asks for a signature that may be valid for more than a day.",
  other_method: "The live 402 asks for another method than a plain transfer authorization.",
  too_many_entries: `The live 402 has more than ${ACCEPTS_MAX_ENTRIES} entries; a client could sign one that was not read.`,
  odd_entry: anotherEntry("asks for USDC by another method, or for longer than a day"),
  other_payee: anotherEntry("pays another payee"),
  unreadable: "The live 402 carries payment terms that cannot be read.",
  headers_too_large: "The response has header fields too large to read.",
  not_exact: "The live 402 offers no payment of an exact amount.",
  expired: "The live 402 carries payment terms that have already expired.",
  payee_cannot_receive: "The live 402 pays an address that cannot receive USDC.",
  spelled_twice: "The live 402 gives a payment term twice with different values.",
  header_and_body_differ: "The live 402 asks for one payment in its header and for another in its body."
};
var UNREACHABLE_WORDS = {
  name_not_found: "The host name does not resolve; check the address, or check again later.",
  name_lookup_failed: "The host name lookup failed; check again later.",
  connection_failed: "Could not connect to the endpoint; check again later.",
  tls_failed: "The endpoint has no valid certificate for its name; check again later.",
  not_http: "The endpoint did not respond with valid HTTP; check again later."
};
function freeTrialWords(remaining) {
  const left = remaining === null ? "" : ` (${remaining} calls left)`;
  return `The endpoint announces a free trial${left}; check again when it is over.`;
}
var NAMED_NETWORKS = 8;
function names(networks) {
  const more = networks.length > NAMED_NETWORKS ? " and others" : "";
  return networks.slice(0, NAMED_NETWORKS).map(name2).join(", ") + more;
}
function name2(network2) {
  return network2 ?? "a network without a CAIP-2 name";
}

// src/core/verdict/verdict-words.ts
function verdictWords(verdict) {
  if (verdict.reason === "terms_differ")
    return "The seller shows different terms to different visitors: another point of view saw another payment.";
  if (verdict.reason === "unconfirmed") return unconfirmedWords(verdict);
  if (verdict.reason !== "no_paywall" || verdict.hint === null) return reasonWords(verdict);
  return hintWords(verdict.status, verdict.hint);
}
function unconfirmedWords({ agreed, needed }) {
  const count = `${agreed} of the ${needed} needed agreed`;
  return `Other points of view did not see the same (${count}); check again later.`;
}
function hintWords(status2, hint) {
  switch (hint.kind) {
    case "needs_input":
      return `The endpoint answered HTTP ${status2} and asked for no payment yet; it may need input first. Check it again with the input that it needs.`;
    case "wrong_method":
      return `The endpoint answered HTTP ${status2} and asked for no payment; it may want ${hint.other}. Check it again with method ${hint.other}.`;
    case "needs_login":
      return `The endpoint answered HTTP ${status2} without asking for payment; it may want a login or a key.`;
  }
}

// src/core/statement/statement.ts
var LIVE_FORM = "receipt/1";
var CRAWL_FORM = "crawl/1";

// src/core/statement/write-seen.ts
function seenMembers(seen) {
  if (seen.kind === "answered") return answerMembers(seen);
  return { cause: seen.kind === "unreachable" ? seen.cause : void 0, kind: seen.kind };
}
function answerMembers({ kind, status: status2, challenge, freeTrial, evidence, refusal, input }) {
  return {
    body_sha256: evidence.bodySha256 ?? void 0,
    challenge: challengeMembers(challenge),
    free_trial: freeTrial === null ? void 0 : { remaining: freeTrial.remaining ?? void 0 },
    input: input === null ? void 0 : { sha256: input.sha256, source: input.source },
    kind,
    payment_required_sha256: evidence.paymentRequiredSha256 ?? void 0,
    refusal: refusal === null ? void 0 : refusalMembers(refusal),
    status: status2
  };
}
function refusalMembers({ allow, missing }) {
  return { allow: allow ?? void 0, missing: missing.length === 0 ? void 0 : missing };
}
function challengeMembers(challenge) {
  switch (challenge.kind) {
    case "none":
      return void 0;
    case "unreadable":
      return { fault: challenge.fault };
    case "readable": {
      const { bodyOffers, demands, hasMoreEntries, offers, source, x402Version } = challenge;
      return {
        body_offers: bodyOffers?.map(offerMembers),
        demands: demands.length === 0 ? void 0 : demands.map(demandMembers),
        has_more_entries: hasMoreEntries || void 0,
        offers: offers.map(offerMembers),
        source,
        x402_version: x402Version ?? void 0
      };
    }
  }
}
function offerMembers(offer) {
  return {
    amount: offer.amountAtomic.toString(),
    asset: offer.asset,
    max_timeout_seconds: offer.maxTimeoutSeconds ?? void 0,
    network: offer.network ?? void 0,
    pay_to: offer.payTo,
    scheme: offer.scheme,
    self_contradictory: offer.selfContradictory || void 0,
    transfer: transferMember(offer.transfer),
    valid_before_ms: offer.validBeforeMs ?? void 0
  };
}
function demandMembers(demand) {
  return {
    amount: demand.amountAtomic?.toString(),
    asset: demand.asset ?? void 0,
    chain: demand.chain,
    network: demand.network ?? void 0,
    pay_to: demand.payTo ?? void 0,
    transfer: transferMember(demand.transfer)
  };
}
function transferMember(transfer) {
  return transfer === "ordinary" ? void 0 : transfer;
}

// src/core/statement/write-views.ts
function viewsMembers(views) {
  return views === null ? void 0 : { needed: views.needed, views: views.views.map(viewMembers) };
}
function viewMembers({ at, request, seen, signature, vantage }) {
  return { at, request, seen: seenMembers(seen), signature, vantage };
}

// src/core/statement/write-statement.ts
function writeStatement(statement) {
  return statement.kind === "live" ? writeLive(statement, statement.seen, statement.salt) : writeCrawl(statement);
}
function writeLive(statement, seen, salt) {
  const { approvedPayment, paymentTermsSha256, listing, probe } = statement;
  return JSON.stringify({
    approved: approvedPayment === null ? void 0 : approvedMembers(approvedPayment, paymentTermsSha256),
    assay: LIVE_FORM,
    check_type: statement.checkType,
    checked_at: statement.checkedAt,
    diagnostics: diagnosticMembers(statement.diagnostics),
    expected: expectedMembers(statement.expected),
    id: statement.id,
    listed_method: statement.listedMethod ?? void 0,
    listing: listing === null ? void 0 : listingMembers(listing),
    method: statement.method,
    mode: statement.mode,
    needs_input: needsInputMembers(statement.needsInput),
    other_method: statement.otherMethod ?? void 0,
    probe: { at: probe.probedAt, reused: probe.cached || void 0 },
    reason: statement.reason,
    reason_text: statement.reasonText,
    ref: statement.ref ?? void 0,
    rules: statement.rulesVersion,
    salt,
    seen: seenMembers(seen),
    task: statement.task ?? void 0,
    url: statement.url,
    vantages: viewsMembers(statement.views),
    verdict: statement.verdict
  });
}
function writeCrawl(statement) {
  const { seen, checkedAt, quoted } = statement;
  return JSON.stringify({
    assay: CRAWL_FORM,
    checked_at: checkedAt,
    code: statement.code,
    diagnostics: diagnosticMembers(statement.diagnostics),
    expected: expectedMembers(statement.expected),
    id: statement.id,
    listed_in: statement.listedIn,
    listed_method: statement.listedMethod ?? void 0,
    method: statement.method,
    needs_input: needsInputMembers(statement.needsInput),
    other_method: statement.otherMethod ?? void 0,
    probe: seen === null ? void 0 : { at: checkedAt },
    quoted: quoted === null ? void 0 : quotedMembers(quoted),
    reason: statement.reason,
    rules: statement.rulesVersion,
    run: statement.run,
    salt: statement.salt,
    seen: seen === null ? void 0 : seenMembers(seen),
    source_list: statement.sourceList,
    takes_path: statement.takesPath || void 0,
    url: statement.url,
    vantages: viewsMembers(statement.views),
    verdict: statement.verdict
  });
}
function approvedMembers(terms, sha256) {
  return {
    amount: terms.amountAtomic.toString(),
    asset: terms.asset,
    deadline: terms.deadline.toISOString(),
    deadline_source: terms.deadlineSource,
    max_timeout_seconds: terms.maxTimeoutSeconds ?? void 0,
    network: terms.network,
    pay_to: terms.payTo,
    scheme: terms.scheme,
    sha256: sha256 ?? void 0
  };
}
function quotedMembers({ network: network2, payTo, price }) {
  return { network: network2 ?? void 0, pay_to: payTo, price: price?.toString() };
}
function expectedMembers({ network: network2, payTo, price, source }) {
  return {
    network: network2 ?? void 0,
    pay_to: payTo ?? void 0,
    price: price?.toString(),
    source: source ?? void 0
  };
}
function listingMembers({ network: network2, payTo, price, sourceList }) {
  return {
    network: network2 ?? void 0,
    pay_to: payTo ?? void 0,
    price: price?.toString(),
    source_list: sourceList
  };
}
function diagnosticMembers(diagnostics) {
  if (diagnostics.length === 0) return void 0;
  return diagnostics.map(({ code, path, source }) => ({ code, path: path ?? void 0, source }));
}
function needsInputMembers(needs) {
  if (needs === null) return void 0;
  const { example, method, missing, status: status2, tried } = needs;
  return { example: example === null ? void 0 : Object.entries(example), method, missing, status: status2, tried };
}

// src/core/statement/judge-again.ts
function judgeAgain(statement) {
  const otherRules = differences({ rules: statement.rulesVersion }, { rules: RULES_VERSION });
  if (otherRules.length > 0) return otherRules;
  return statement.kind === "live" ? judgeLive(statement) : judgeCrawl(statement);
}
function judgeLive(statement) {
  const { method, listedMethod, seen, views, expected, probe, mode } = statement;
  const { approvedPayment, paymentTermsSha256 } = statement;
  const asked = { method, listedMethod, takesPath: false };
  const { verdict } = judgeViews(seen, views, asked, expected, probe.probedAt);
  const terms = verdict.verdict === "pay" && mode === "live" ? verdict.terms : null;
  return [
    ...differences(
      { verdict: statement.verdict, reason: statement.reason, reason_text: statement.reasonText },
      { verdict: verdict.verdict, reason: verdict.reason, reason_text: verdictWords(verdict) }
    ),
    ...differences(hintsStated(statement), hintsIn(verdict)),
    ...differences(
      approvedPayment === null ? {} : within("approved", approvedMembers(approvedPayment, paymentTermsSha256)),
      terms === null ? {} : within("approved", approvedMembers(terms, termsSha256(terms)))
    )
  ];
}
function judgeCrawl(statement) {
  const { seen, views, method, listedMethod, takesPath, expected, checkedAt } = statement;
  if (seen === null) return judgeUnseen(statement);
  const judgement = judgeViews(seen, views, { method, listedMethod, takesPath }, expected, checkedAt);
  const { verdict } = judgement;
  return [
    ...findingDifferences(statement, { kind: "judged", verdict }),
    ...differences(hintsStated(statement), hintsIn(verdict)),
    ...quotedDifferences(statement, judgement)
  ];
}
function judgeUnseen(statement) {
  const { code, url } = statement;
  if (code !== "path_template" && code !== "host_silent") return differences({ code }, {});
  const wrong2 = [
    ...findingDifferences(statement, { kind: code }),
    ...differences(hintsStated(statement), {}),
    ...quotedDifferences(statement, { offer: null })
  ];
  if (wrong2.length > 0) return wrong2;
  if (code === "host_silent") return "not_checkable";
  if (isPathTemplate(pathOf(url))) return [];
  return isRedacted(url) || url.length >= URL_MAX_BYTES ? "not_checkable" : differences({ code }, {});
}
function findingDifferences(stated, finding) {
  const { verdict, code, reason } = stated;
  return differences({ verdict, code, reason }, { ...crawlVerdict(finding) });
}
function quotedDifferences({ quoted }, { offer }) {
  const judged = offer === null ? null : { network: offer.network, payTo: offer.payTo, price: quotedPrice(offer) };
  return differences(
    quoted === null ? {} : within("quoted", quotedMembers(quoted)),
    judged === null ? {} : within("quoted", quotedMembers(judged))
  );
}
function hintsIn(verdict) {
  const hint = hintIn(verdict);
  return {
    needs_input: needsInput(verdict) ? "named" : void 0,
    other_method: hint?.kind === "wrong_method" ? hint.other : void 0
  };
}
function hintsStated({
  needsInput: stated,
  otherMethod
}) {
  return { needs_input: stated === null ? void 0 : "named", other_method: otherMethod ?? void 0 };
}
function pathOf(url) {
  return url.replace(/^https?:\/\/[^/?#]*/, "").replace(/[?#].*$/s, "");
}
function within(member2, values) {
  return Object.fromEntries(Object.entries(values).map(([name3, value]) => [`${member2}.${name3}`, value]));
}
function differences(stated, judged) {
  const names2 = [.../* @__PURE__ */ new Set([...Object.keys(stated), ...Object.keys(judged)])];
  return names2.filter((name3) => stated[name3] !== judged[name3]).map((name3) => ({ member: name3, stated: shown(stated[name3]), judged: shown(judged[name3]) }));
}
function shown(value) {
  return value === void 0 ? null : String(value);
}

// src/core/statement/read-values.ts
function wrong(what) {
  throw new Error(`not a statement: ${what}`);
}
function membersOf(value) {
  const object = isJsonObject(value) ? value : wrong("no object");
  return (name3) => member(object, name3);
}
var TEXT_MAX_CHARS = 8192;
function text(value) {
  return typeof value === "string" && value.length <= TEXT_MAX_CHARS ? value : wrong("no short text");
}
function token(value) {
  return typeof value === "string" && TOKEN.test(value) ? value : wrong("no token");
}
var TOKEN = /^[\x21-\x7e]{1,128}$/;
function hexHash(value) {
  return typeof value === "string" && SHA256.test(value) ? value : wrong("no SHA-256");
}
var SHA256 = /^[0-9a-f]{64}$/;
function saltText(value) {
  return typeof value === "string" && SALT.test(value) ? value : wrong("no salt");
}
var SALT = /^[A-Za-z0-9_-]{21}[AQgw]$/;
function signatureText(value) {
  return typeof value === "string" && SIGNATURE.test(value) ? value : wrong("no signature");
}
var SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/;
function whole(value) {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : wrong("no count");
}
function status(value) {
  const code = whole(value);
  return code <= 999 ? code : wrong("no HTTP status");
}
function instantMs(value) {
  const ms = whole(value);
  return ms <= LAST_MS ? ms : wrong("no instant");
}
var LAST_MS = 253402300799999;
function time(value) {
  if (typeof value !== "string" || !ISO.test(value)) return wrong("no time");
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? wrong("no time") : date;
}
var ISO = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;
function amount(value) {
  return parseUint256(value) ?? wrong("no amount");
}
function money(value) {
  return microUsd(amount(value));
}
function network(value) {
  const name3 = token(value);
  const known = parseNetwork(name3);
  return known === name3 ? known : wrong("no network in CAIP-2 form");
}
function flag(value) {
  if (value !== void 0 && value !== true) return wrong("no flag");
  return value === true;
}
function oneOf(value, words) {
  return words.find((word) => word === value) ?? wrong("no such word");
}
function optional(value, read) {
  return value === void 0 ? null : read(value);
}
function listOf(value, max, read) {
  return Array.isArray(value) && value.length <= max ? value.map((one) => read(one)) : wrong("no short list");
}

// src/core/statement/read-seen.ts
var KINDS = ["answered", "headers_too_large", "timed_out", "unreachable", "blocked"];
var CAUSES = [
  "name_not_found",
  "name_lookup_failed",
  "connection_failed",
  "tls_failed",
  "not_http"
];
var FAULTS = [
  "repeated_header",
  "bad_encoding",
  "bad_json",
  "bad_version",
  "ambiguous_json",
  "too_large",
  "no_entries",
  "no_readable_entry"
];
var TRANSFERS = ["too_long", "other_method"];
var METHODS = ["GET", "POST"];
function readSeen(value) {
  const members = membersOf(value);
  const kind = oneOf(members("kind"), KINDS);
  if (kind === "answered") return readAnswer(value);
  if (kind === "unreachable") return { kind, cause: oneOf(members("cause"), CAUSES) };
  return { kind };
}
function readAnswer(value) {
  const members = membersOf(value);
  const code = status(members("status"));
  const challenge = readChallenge(members("challenge"));
  if (challenge.kind !== "none" && code !== 402) return wrong("a challenge without a 402");
  return {
    kind: "answered",
    status: code,
    challenge,
    freeTrial: optional(members("free_trial"), readTrial),
    evidence: {
      paymentRequiredSha256: optional(members("payment_required_sha256"), hexHash),
      bodySha256: optional(members("body_sha256"), hexHash)
    },
    refusal: optional(members("refusal"), readRefusal),
    input: optional(members("input"), readInput)
  };
}
function readTrial(value) {
  return { remaining: optional(membersOf(value)("remaining"), whole) };
}
function readRefusal(value) {
  const members = membersOf(value);
  return {
    allow: optional(
      members("allow"),
      (allow) => listOf(allow, METHODS.length, (method) => oneOf(method, METHODS))
    ),
    missing: optional(members("missing"), (names2) => listOf(names2, MISSING_NAMES_MAX, token)) ?? []
  };
}
function readInput(value) {
  const members = membersOf(value);
  const source = oneOf(members("source"), ["caller", "listing_example", "listing_schema"]);
  return { source, sha256: hexHash(members("sha256")) };
}
function readChallenge(value) {
  if (value === void 0) return { kind: "none" };
  const members = membersOf(value);
  if (members("fault") !== void 0) {
    return { kind: "unreadable", fault: oneOf(members("fault"), FAULTS) };
  }
  const offers = listOf(members("offers"), ACCEPTS_MAX_ENTRIES, readOffer);
  if (!isNonEmpty(offers)) return wrong("no offer");
  return {
    kind: "readable",
    source: oneOf(members("source"), ["header", "body"]),
    x402Version: optional(members("x402_version"), (version2) => oneOf(version2, [1, 2])),
    offers,
    bodyOffers: optional(members("body_offers"), (list) => listOf(list, ACCEPTS_MAX_ENTRIES, readOffer)),
    // Those of the header and those of the body.
    demands: optional(members("demands"), (list) => listOf(list, 2 * ACCEPTS_MAX_ENTRIES, readDemand)) ?? [],
    hasMoreEntries: flag(members("has_more_entries"))
  };
}
function readOffer(value) {
  const members = membersOf(value);
  return {
    scheme: token(members("scheme")),
    network: optional(members("network"), network),
    asset: token(members("asset")),
    amountAtomic: amount(members("amount")),
    payTo: token(members("pay_to")),
    maxTimeoutSeconds: optional(members("max_timeout_seconds"), whole),
    validBeforeMs: optional(members("valid_before_ms"), instantMs),
    selfContradictory: flag(members("self_contradictory")),
    transfer: readTransfer(members("transfer"))
  };
}
function readDemand(value) {
  const members = membersOf(value);
  return {
    chain: oneOf(members("chain"), ["evm", "solana"]),
    payTo: optional(members("pay_to"), token),
    network: optional(members("network"), network),
    asset: optional(members("asset"), token),
    amountAtomic: optional(members("amount"), amount),
    transfer: readTransfer(members("transfer"))
  };
}
function readTransfer(value) {
  return optional(value, (word) => oneOf(word, TRANSFERS)) ?? "ordinary";
}

// src/core/vantage/vantage-limits.ts
var VANTAGES_MAX = 4;

// src/core/statement/read-views.ts
function readViews(value) {
  const members = membersOf(value);
  const needed = whole(members("needed"));
  const views = listOf(members("views"), VANTAGES_MAX, readView);
  if (needed < 1) return wrong("nobody had to agree");
  const keys = new Set(views.map(({ vantage }) => vantage.split("+").slice(2).join("+")));
  return keys.size === views.length ? { needed, views } : wrong("one vantage twice");
}
function readView(value) {
  const members = membersOf(value);
  return {
    at: time(members("at")),
    request: hexHash(members("request")),
    seen: readSeen(members("seen")),
    signature: signatureText(members("signature")),
    vantage: text(members("vantage"))
  };
}

// src/core/statement/read-statement.ts
var STATEMENT_MAX_CHARS = 524288;
function readStatement(written, parsed) {
  if (written.length > STATEMENT_MAX_CHARS) return null;
  try {
    const statement = readValue(parsed ?? parseJson(written));
    return writeStatement(statement) === written ? statement : null;
  } catch {
    return null;
  }
}
function readValue(value) {
  const members = membersOf(value);
  const form = oneOf(members("assay"), [LIVE_FORM, CRAWL_FORM]);
  return form === LIVE_FORM ? readLive(members) : readCrawl(members);
}
function readLive(members) {
  const approved = members("approved");
  const probe = membersOf(members("probe"));
  return {
    kind: "live",
    id: text(members("id")),
    url: text(members("url")),
    method: readMethod(members("method")),
    checkedAt: time(members("checked_at")),
    expected: readExpected(members("expected")),
    verdict: oneOf(members("verdict"), VERDICTS),
    listedMethod: optional(members("listed_method"), readMethod),
    needsInput: optional(members("needs_input"), readNeedsInput),
    otherMethod: optional(members("other_method"), readMethod),
    diagnostics: optional(members("diagnostics"), readDiagnostics) ?? [],
    rulesVersion: token(members("rules")),
    views: optional(members("vantages"), readViews),
    salt: saltText(members("salt")),
    checkType: oneOf(members("check_type"), ["dry-run", "self-checked"]),
    mode: oneOf(members("mode"), ["live", "dry-run"]),
    ref: optional(members("ref"), text),
    task: optional(members("task"), text),
    listing: optional(members("listing"), readListing),
    reason: readReason(members("reason")),
    reasonText: text(members("reason_text")),
    approvedPayment: optional(approved, readTerms),
    paymentTermsSha256: optional(approved, (terms) => hexHash(membersOf(terms)("sha256"))),
    probe: { probedAt: time(probe("at")), cached: flag(probe("reused")) },
    seen: readSeen(members("seen"))
  };
}
function readCrawl(members) {
  return {
    kind: "crawl",
    id: text(members("id")),
    url: text(members("url")),
    method: readMethod(members("method")),
    checkedAt: time(members("checked_at")),
    expected: readExpected(members("expected")),
    verdict: oneOf(members("verdict"), VERDICTS),
    listedMethod: optional(members("listed_method"), readMethod),
    needsInput: optional(members("needs_input"), readNeedsInput),
    otherMethod: optional(members("other_method"), readMethod),
    diagnostics: optional(members("diagnostics"), readDiagnostics) ?? [],
    rulesVersion: token(members("rules")),
    views: optional(members("vantages"), readViews),
    salt: saltText(members("salt")),
    run: text(members("run")),
    code: readCode(members("code")),
    reason: text(members("reason")),
    sourceList: text(members("source_list")),
    listedIn: listOf(members("listed_in"), LISTS_MAX, text),
    takesPath: flag(members("takes_path")),
    quoted: optional(members("quoted"), readQuoted),
    seen: optional(members("seen"), readSeen)
  };
}
var METHODS2 = ["GET", "POST"];
var VERDICTS = ["pay", "skip", "recheck"];
var LISTS_MAX = 256;
function readMethod(value) {
  return oneOf(value, METHODS2);
}
function readReason(value) {
  return isReason(value) ? value : wrong("no reason");
}
function isReason(value) {
  return typeof value === "string" && Object.hasOwn(VERDICT_OF_REASON, value);
}
function readCode(value) {
  if (isReason(value)) return value;
  return oneOf(value, ["path_template", "name_not_found", "host_silent", "needs_input"]);
}
function readExpected(value) {
  const members = membersOf(value);
  return {
    price: optional(members("price"), money),
    payTo: optional(members("pay_to"), text),
    network: optional(members("network"), network),
    source: optional(members("source"), readSource)
  };
}
function readSource(value) {
  return oneOf(value, ["request", "listing"]);
}
function readListing(value) {
  const members = membersOf(value);
  return {
    price: optional(members("price"), money),
    payTo: optional(members("pay_to"), text),
    network: optional(members("network"), network),
    sourceList: text(members("source_list"))
  };
}
function readQuoted(value) {
  const members = membersOf(value);
  return {
    network: optional(members("network"), network),
    payTo: token(members("pay_to")),
    price: optional(members("price"), money)
  };
}
function readTerms(value) {
  const members = membersOf(value);
  return {
    scheme: oneOf(members("scheme"), ["exact"]),
    network: network(members("network")),
    asset: token(members("asset")),
    amountAtomic: money(members("amount")),
    payTo: token(members("pay_to")),
    deadline: time(members("deadline")),
    deadlineSource: oneOf(members("deadline_source"), ["validBefore", "maxTimeoutSeconds", "default_60s"]),
    maxTimeoutSeconds: optional(members("max_timeout_seconds"), whole)
  };
}
var DIAGNOSTICS_MAX = 64;
function readDiagnostics(value) {
  return listOf(value, DIAGNOSTICS_MAX, readDiagnostic);
}
function readDiagnostic(value) {
  const members = membersOf(value);
  return {
    code: token(members("code")),
    source: oneOf(members("source"), ["answer", "header", "body"]),
    path: optional(members("path"), text)
  };
}
var NAMES_MAX = 8192;
function readNeedsInput(value) {
  const members = membersOf(value);
  return {
    method: readMethod(members("method")),
    status: status(members("status")),
    tried: oneOf(members("tried"), ["bare", "caller", "listing_example", "listing_schema"]),
    missing: listOf(members("missing"), NAMES_MAX, text),
    example: optional(members("example"), readExample)
  };
}
function readExample(value) {
  return Object.fromEntries(listOf(value, NAMES_MAX, readPair));
}
function readPair(value) {
  const [name3, said] = listOf(value, 2, (part) => part);
  if (typeof said === "boolean" || typeof said === "number") return [text(name3), said];
  return [text(name3), text(said)];
}

// scripts/rules-entry.ts
var version = RULES_VERSION;
function judgeAgain2(statement) {
  const read = readStatement(statement);
  return read === null ? "unreadable" : judgeAgain(read);
}
export {
  judgeAgain2 as judgeAgain,
  version
};
