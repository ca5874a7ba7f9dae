import { Column, Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';

/** The key of `ErasedForm`, sealed. The table has one row. */
@Entity(tableNamed('suppression_keys'))
export class ErasureKeyEntity {
  /** 1. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'suppression_keys_pkey' })
  id!: number;

  /** Id of the key that it is encrypted with. */
  @Column({ name: 'key_id', type: 'text' })
  keyId!: string;

  /** Result of `sealText`. */
  @Column({ type: 'text' })
  sealed!: string;
}
