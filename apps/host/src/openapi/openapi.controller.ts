import { fileURLToPath } from 'node:url';
import { All, Controller, Get, Header, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError } from 'nestjs-emails';
import { openApiDocument } from './document.js';

/** The page loads from this server alone; its styles are set by its script. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>nestjs-emails</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<div id="ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
`;

const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#ui', validatorUrl: null });`;

/** Files of Swagger UI for the page. */
const FILES: readonly string[] = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** The document at `/openapi.json`, and a reader for it at `/docs`. Needs no key, and contains no data of accounts. */
@Controller()
export class OpenApiController {
  @Get('openapi.json')
  document() {
    return openApiDocument;
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PAGE_POLICY)
  page(): string {
    return PAGE;
  }

  @Get('docs/start.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  start(): string {
    return START;
  }

  @Get('docs/:file')
  file(@Param('file') file: string, @Res() response: Response): void {
    if (!FILES.includes(file)) throw ApiError.notFound();
    response.sendFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`)), { cacheControl: false });
  }

  @All(['openapi.json', 'docs', 'docs/start.js', 'docs/:file'])
  other(): never {
    throw ApiError.methodNotAllowed(['GET']);
  }
}
