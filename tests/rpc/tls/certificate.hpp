// Certificates for tests, which are their own authorities.
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <memory>
#include <string>

#include "rpc/wire/temporary_folder.hpp"

namespace tasuki::rpc {

/// A certificate of the host and its key, in PEM files.
class Certificate {
 public:
  explicit Certificate(const std::string& host) : key_(EVP_EC_gen("P-256"), EVP_PKEY_free) {
    const std::unique_ptr<X509, void (*)(X509*)> made(X509_new(), X509_free);
    X509_set_version(made.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -day_s);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), day_s);
    X509_set_pubkey(made.get(), key_.get());
    X509_NAME* const name = X509_get_subject_name(made.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(host.c_str()), -1, -1, 0);
    X509_set_issuer_name(made.get(), name);
    add(made.get(), NID_basic_constraints, "critical,CA:TRUE");
    add(made.get(), NID_subject_alt_name, "DNS:" + host);
    EXPECT_GT(X509_sign(made.get(), key_.get(), EVP_sha256()), 0);
    const File certificate_file(std::fopen(certificate().c_str(), "w"), std::fclose);
    EXPECT_EQ(PEM_write_X509(certificate_file.get(), made.get()), 1);
    const File key_file(std::fopen(key().c_str(), "w"), std::fclose);
    EXPECT_EQ(
        PEM_write_PrivateKey(key_file.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr), 1);
  }

  std::string certificate() const { return folder_.path_of("certificate.pem"); }
  std::string key() const { return folder_.path_of("key.pem"); }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  static constexpr long day_s = 24L * 3600;

  static void add(X509* certificate, int kind, const std::string& value) {
    X509_EXTENSION* const made = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
    EXPECT_EQ(X509_add_ext(certificate, made, -1), 1);
    X509_EXTENSION_free(made);
  }

  std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key_;
  const TemporaryFolder folder_;
};

}  // namespace tasuki::rpc
