import { ALL, WholeListQueryDto } from '../shared/http/page-query.dto.js';
import { type OpenApiFeature, response, schema } from '../shared/openapi/components.js';
import { deleted, listing, operation } from '../shared/openapi/operations.js';
import { answerSchema, requestSchema } from '../shared/validation/dto-schema.js';
import { ChangedDomainDto } from './endpoints/changed-domain.dto.js';
import { CreateDomainDto } from './endpoints/create-domain.dto.js';
import { DomainDto } from './endpoints/domain.dto.js';
import { ListedDomainDto } from './endpoints/listed-domain.dto.js';
import { NewDomainDto } from './endpoints/new-domain.dto.js';
import { UpdateDomainDto } from './endpoints/update-domain.dto.js';

const tag = 'Domains';
const path = { id: 'The id of a domain.' };
const changed = { success: { 200: answerSchema(ChangedDomainDto) } };

/** The module's part of an OpenAPI 3.1 document. It refers to the components of `emailsOpenApi`. */
export const domainsOpenApi: OpenApiFeature = {
  schemas: {
    Domain: answerSchema(DomainDto),
    NewDomain: answerSchema(NewDomainDto),
    ListedDomain: answerSchema(ListedDomainDto),
  },
  paths: {
    '/domains': {
      post: operation({
        id: 'createDomain',
        summary: 'Add a domain; the answer has the records to publish',
        tag,
        requestBody: requestSchema(CreateDomainDto),
        success: { 201: schema('NewDomain') },
        refusals: { 422: response('InvalidDomain') },
      }),
      get: listing(
        { id: 'listDomains', summary: 'List domains', tag, query: WholeListQueryDto, max: ALL },
        schema('ListedDomain'),
      ),
    },
    '/domains/{id}': {
      get: operation({
        id: 'getDomain',
        summary: 'Get a domain, its records, and what is wrong with them',
        tag,
        path,
        success: { 200: schema('Domain') },
      }),
      patch: operation({
        id: 'updateDomain',
        summary: 'Change a domain',
        tag,
        path,
        requestBody: requestSchema(UpdateDomainDto),
        ...changed,
      }),
      delete: operation({
        id: 'deleteDomain',
        summary: 'Delete a domain and its keys; its mail is no longer signed',
        tag,
        path,
        success: { 200: deleted('domain') },
      }),
    },
    '/domains/{id}/verify': {
      post: operation({
        id: 'verifyDomain',
        summary: 'Have the records of a domain looked up, now and for 72 h',
        tag,
        path,
        ...changed,
      }),
    },
    '/domains/{id}/dkim/rotate': {
      post: operation({
        id: 'rotateDomainKeys',
        summary: 'Make new DKIM keys; the old ones sign until the record of the new is verified',
        tag,
        path,
        ...changed,
      }),
    },
  },
};
