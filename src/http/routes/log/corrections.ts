import {
  type CorrectionPorts,
  type CorrectionsPage,
  listCorrections,
} from '../../../flows/read/list-corrections.ts';
import { correctionsPage } from '../../../pages/log/corrections-page.ts';
import { readCorrectionsRequest } from '../../../wire/log/corrections-request.ts';
import { correctionsJson } from '../../../wire/log/corrections-response.ts';
import type { Links } from '../../../wire/responses/links.ts';
import type { Routes } from '../../app.ts';
import {
  answerBadRequest,
  answerRendered,
  type Handler,
  type Rendered,
  rendered,
  renderedJson,
} from '../../exchange/answer.ts';
import { FOR_A_MINUTE } from '../../exchange/caching.ts';
import { HTML_HEADERS, HTML_TYPE } from '../../exchange/html-headers.ts';

/** GET /v1/corrections and the page /corrections. */
export function correctionRoutes(ports: CorrectionPorts): Routes {
  return {
    '/v1/corrections': {
      GET: listing(ports, (found, links) => {
        const body = correctionsJson(found, links);
        const link = body.next === null ? {} : { link: `<${body.next}>; rel="next"` };
        return renderedJson(body, { ...FOR_A_MINUTE, ...link });
      }),
    },
    '/corrections': {
      GET: listing(ports, async (found, links) =>
        rendered(await correctionsPage(found, links), HTML_TYPE, { ...HTML_HEADERS, ...FOR_A_MINUTE }),
      ),
    },
  };
}

type Render = (found: CorrectionsPage, links: Links) => Rendered | Promise<Rendered>;

function listing(ports: CorrectionPorts, render: Render): Handler {
  return async (exchange) => {
    const reading = readCorrectionsRequest(exchange.query);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    return answerRendered(
      exchange,
      await render(await listCorrections(reading.value, ports), exchange.links),
    );
  };
}
